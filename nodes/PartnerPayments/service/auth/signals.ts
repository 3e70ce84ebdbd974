import type { N8nFunctions } from './credentials';

/**
 * The functions of n8n with other signals that break off their requests. n8n asks for one whenever it
 * sends a request with a credential, and takes no other.
 */
export const withSignals = (n8n: N8nFunctions, ...signals: AbortSignal[]): N8nFunctions => {
	const signal = AbortSignal.any(signals);
	return Object.create(n8n, { getExecutionCancelSignal: { value: () => signal } }) as N8nFunctions;
};

/** What aborts when the execution is stopped; nothing where there is none, as in a webhook. */
export function stopSignals(n8n: N8nFunctions): AbortSignal[] {
	const signal = 'getExecutionCancelSignal' in n8n ? n8n.getExecutionCancelSignal() : undefined;
	return signal === undefined ? [] : [signal];
}
