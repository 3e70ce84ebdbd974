import type { INodeProperties } from 'n8n-workflow';

import { optionsField, workspaceField } from '../../shared/fields';

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
