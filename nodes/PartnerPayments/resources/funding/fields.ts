import type { INodeProperties } from 'n8n-workflow';

/** The funding of an operation. */
export const fundingIdField: INodeProperties = {
	displayName: 'Funding ID',
	name: 'fundingId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. fnd_3b9a70',
	description: 'ID of the funding, as Create put it out',
};
