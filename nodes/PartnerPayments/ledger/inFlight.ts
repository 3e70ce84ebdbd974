import { whenAborted } from '../service/http/abort';

/** What somebody in this process is just working on, until they are done. */
const inFlight = new Map<string, Promise<void>>();

/**
 * Works on something that nobody else in this process may work on at the same time: waits for those
 * who do, for all names at once, so that two can never wait for each other.
 *
 * @throws the signal's reason when it aborts while waiting
 */
export async function alone<Done>(
	names: string[],
	act: () => Promise<Done>,
	signal?: AbortSignal,
): Promise<Done> {
	for (;;) {
		const others = names.flatMap((name) => inFlight.get(name) ?? []);
		if (others.length === 0) break;
		await until(Promise.all(others), signal);
	}
	let end = (): void => undefined;
	const over = new Promise<void>((resolve) => (end = resolve));
	for (const name of names) inFlight.set(name, over);
	try {
		return await act();
	} finally {
		for (const name of names) inFlight.delete(name);
		end();
	}
}

async function until(event: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
	signal?.throwIfAborted();
	let stop = (): void => undefined;
	const aborted = new Promise<void>((resolve) => (stop = resolve));
	const unwatch = signal && whenAborted(signal, stop);
	await Promise.race([event, aborted]);
	unwatch?.();
	signal?.throwIfAborted();
}
