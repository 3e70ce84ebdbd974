import type { NodeConnectionTypes } from 'n8n-workflow';

/** The connection that items go through. n8n writes the error into its log while it loads the package. */
export function mainConnection(types: typeof NodeConnectionTypes | undefined): 'main' {
	if (types !== undefined) return types.Main;
	throw new Error(
		'Partner Payments needs n8n 1.123 or later. Update this n8n, or uninstall the package.',
	);
}
