import type { INodeProperties } from 'n8n-workflow';

/** Said where client credentials cannot help. */
export const userOnlyNotice: INodeProperties = {
	displayName:
		'Needs an OAuth2 credential: the service refuses client credentials here, since they belong to no user.',
	name: 'userOnlyNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { '/authentication': ['clientCredentials'] } },
};
