import type { IGetNodeParameterOptions, INodeProperties } from 'n8n-workflow';

import { readAuthentication, type Authentication } from '../../api/auth/credentials';
import { optionsField, workspaceField } from '../../shared/fields';
import { readWorkspaceId } from '../../shared/values';

export const depositTriggerFields: INodeProperties[] = [
	{ ...workspaceField, description: 'The workspace whose wallet the deposits arrive in' },
	{
		displayName:
			'A deposit alone pays no vendor. To pay the vendors of an invoice, link the deposit with "Link Deposit" of "Funding".',
		name: 'linkNotice',
		type: 'notice',
		default: '',
	},
	optionsField([
		{
			displayName: 'Include Existing Deposits',
			name: 'includeExisting',
			type: 'boolean',
			default: false,
			description:
				'Whether to also start the workflow for deposits from before it was first published',
		},
	]),
];

interface DepositTriggerParameters {
	authentication: Authentication;
	workspaceId: string;
	includesExisting: boolean;
}

export function readParameters(
	value: (name: string, options?: IGetNodeParameterOptions) => unknown,
): DepositTriggerParameters {
	return {
		authentication: readAuthentication(value('authentication')),
		workspaceId: readWorkspaceId(value('workspaceId', { extractValue: true })).toLowerCase(),
		includesExisting: value('options.includeExisting') === true,
	};
}
