import type { IGetNodeParameterOptions, INodeProperties } from 'n8n-workflow';

import { readAuthentication, type Authentication } from '../../api/auth/credentials';
import { optionsField, workspaceField } from '../../shared/fields';
import { readWorkspaceId } from '../../shared/values';

/** The deposit trigger's fields beside the authentication; n8n adds when to poll. */
export const depositTriggerFields: INodeProperties[] = [
	{ ...workspaceField, description: 'The workspace whose wallet the deposits arrive in' },
	{
		displayName:
			'A deposit pays nobody by itself. To pay the vendors of an invoice, link it with Funding: Link Deposit.',
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
				'Whether to start the workflow for deposits that were there before it was first published as well',
		},
	]),
];

interface DepositTriggerParameters {
	authentication: Authentication;
	workspaceId: string;
	/** Whether deposits start the workflow that were there before its first poll. */
	includesExisting: boolean;
}

/** @param value the value of a parameter, empty when it is not set */
export function readParameters(
	value: (name: string, options?: IGetNodeParameterOptions) => unknown,
): DepositTriggerParameters {
	return {
		authentication: readAuthentication(value('authentication')),
		workspaceId: readWorkspaceId(value('workspaceId', { extractValue: true })).toLowerCase(),
		includesExisting: value('options.includeExisting') === true,
	};
}
