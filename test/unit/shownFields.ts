import {
	NodeHelpers,
	type INodeCredentialDescription,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyCollection,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { node as anyNode } from './support';

type Property = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** The parameters of a node that was just added, as n8n fills them in; `chosen` are those chosen since. */
export const parametersOf = (
	description: INodeTypeDescription,
	chosen: INodeParameters = {},
): INodeParameters => {
	const node = { ...anyNode, type: `n8n-nodes-partner-payments.${description.name}` };
	const { properties } = description;

	return NodeHelpers.getNodeParameters(properties, chosen, true, false, node, description) ?? {};
};

/** Whether the editor shows a field or a credential of a node. */
export const isShown = (
	description: INodeTypeDescription,
	chosen: INodeParameters,
	subject: INodeProperties | INodeCredentialDescription,
): boolean => {
	const parameters = parametersOf(description, chosen);
	const node = { ...anyNode, type: `n8n-nodes-partner-payments.${description.name}`, parameters };

	return NodeHelpers.displayParameter(parameters, subject, node, description);
};

/** The fields that the editor shows. */
export const shownFields = (
	description: INodeTypeDescription,
	chosen: INodeParameters = {},
): INodeProperties[] =>
	description.properties.filter(
		(field) => field.type !== 'hidden' && isShown(description, chosen, field),
	);

/** The names of the options that the editor offers or shows, for what the collection holds. */
export const shownOptions = (
	description: INodeTypeDescription,
	chosen: INodeParameters,
	held: INodeParameters,
): string[] => {
	const parameters = parametersOf(description, { ...chosen, options: held });
	const node = { ...anyNode, type: `n8n-nodes-partner-payments.${description.name}`, parameters };
	const [collection] = shownFields(description, chosen).filter(({ name }) => name === 'options');
	const options = (collection?.options ?? []) as INodeProperties[];

	return options
		.filter((option) => NodeHelpers.displayParameter(held, option, node, description, parameters))
		.map(({ name }) => name);
};

/** A property, with its choices and the fields in it, at every depth. */
export function withInner(property: Property): Property[] {
	const inner = [
		...(('options' in property && property.options) || []),
		...(('values' in property && property.values) || []),
		...(('modes' in property && property.modes) || []),
	];

	return [property, ...inner.flatMap((one) => withInner(one as Property))];
}
