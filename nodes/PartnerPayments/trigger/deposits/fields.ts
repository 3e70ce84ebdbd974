import type { IExecuteFunctions, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { readAuthentication, readWorkspace } from '../../api/auth/credentials';
import { notice, optionsField, switchField, workspaceField } from '../../shared/fields';

/** The deposit trigger's fields beside the authentication; n8n adds when to poll. */
export const depositTriggerFields: INodeProperties[] = [
	workspaceField,
	notice(
		'A deposit pays nobody by itself. To pay the vendors of an invoice, link it with Funding: Link Deposit.',
		'linkNotice',
	),
	optionsField([
		switchField('Include Existing Deposits', 'includeExisting', {
			description:
				'Whether to start the workflow for deposits that were there before it was first published as well',
		}),
	]),
];

/** @param value the value of a parameter, empty when it is not set */
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
