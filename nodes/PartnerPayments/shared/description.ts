import { NodeConnectionTypes, type Icon } from 'n8n-workflow';

import { choiceField } from './fields';

export const icon: Icon = {
	light: 'file:../../icons/partnerPayments.svg',
	dark: 'file:../../icons/partnerPayments.dark.svg',
};

/**
 * What the node is for, and its trigger: n8n's panel shows both as one entry, with the text of the trigger.
 */
export const purpose =
	'Pay vendors, each invoice once, and start a workflow when a payable is paid or a vendor changes';

export const main = [mainConnection(NodeConnectionTypes)];

/** n8n writes the error into its log while it loads the package. */
function mainConnection(types: typeof NodeConnectionTypes | undefined): 'main' {
	if (types !== undefined) {
		return types.Main;
	}
	throw new Error(
		'Partner Payments needs n8n 1.123 or later. Update this n8n, or uninstall the package.',
	);
}

export const authenticationField = choiceField('Authentication', 'authentication', {
	noDataExpression: true,
	options: [
		{
			name: 'Client Credentials',
			value: 'clientCredentials',
			description: 'Server to server, for workspaces of your own',
		},
		{ name: 'OAuth2', value: 'oAuth2', description: 'Acts for a user who connects their account' },
	],
	default: 'clientCredentials',
});
