import type { NodeConnectionTypes } from 'n8n-workflow';

/**
 * The connection that items go through.
 *
 * @param types of n8n; what this package needs came no later than they did
 * @throws when n8n is too old, which n8n writes into its log while it loads the package
 */
export function mainConnection(types: typeof NodeConnectionTypes | undefined): 'main' {
	if (types !== undefined) return types.Main;
	throw new Error(
		'Partner Payments needs n8n 1.123 or later. Update this n8n, or uninstall the package.',
	);
}
