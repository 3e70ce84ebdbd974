const known = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts. A signal takes the longer for each listener the more it has; with
 * this, thousands can wait for one.
 *
 * @returns ends the waiting
 */
export function whenAborted(signal: AbortSignal, call: () => void): () => void {
	const calls = known.get(signal) ?? listenTo(signal);
	calls.add(call);
	return () => calls.delete(call);
}

function listenTo(signal: AbortSignal): Set<() => void> {
	const calls = new Set<() => void>();
	known.set(signal, calls);
	signal.addEventListener('abort', () => {
		for (const call of calls) call();
	});
	return calls;
}
