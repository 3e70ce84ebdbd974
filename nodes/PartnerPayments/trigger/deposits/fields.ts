import type { IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { readAuthentication, readWorkspace } from '../../api/auth/credentials';
import { notice, optionsField, switchField, workspaceField } from '../../shared/fields';

export const depositTriggerFields: INodeProperties[] = [
	workspaceField,
	notice(
		'A deposit alone pays no vendor. To pay the vendors of an invoice, link the deposit with "Link Deposit" of "Funding".',
		'linkNotice',
	),
	optionsField([
		switchField('Include Existing Deposits', 'includeExisting', {
			description:
				'Whether to also start the workflow for deposits from before it was first published',
		}),
	]),
];

export async function readParameters(
	n8n: IExecuteFunctions | IPollFunctions,
	value: (name: string) => unknown,
) {
	const authentication = readAuthentication(value('authentication'));
	return {
		authentication,
		workspaceId: await readWorkspace(n8n, value('workspaceId'), authentication),
		includesExisting: value('options.includeExisting') === true,
	};
}
