import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Resource } from './operation';

/** The properties of the node: the two selectors, and each operation's fields, shown for it alone. */
export function resourceProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ name, value }) => ({ name, value })),
			default: 'payout',
		},
		...resources.flatMap(operationProperties),
	];
}

function operationProperties({
	value: resource,
	operations,
	initial = operations[0]?.value ?? '',
}: Resource): INodeProperties[] {
	const options: INodePropertyOptions[] = operations.map(
		({ name, value, action, description }) => ({ name, value, action, description }),
	);
	return [
		{
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource] } },
			options,
			default: initial,
		},
		...operations.flatMap(({ value: operation, fields }) =>
			fields.map((field) => ({
				...field,
				displayOptions: {
					...field.displayOptions,
					show: { resource: [resource], operation: [operation], ...field.displayOptions?.show },
				},
			})),
		),
	];
}
