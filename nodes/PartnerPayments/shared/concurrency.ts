/**
 * Calls a function for each entry in their order, at most `limit` at a time, until `isStopped` returns
 * true. The function must not reject.
 */
export async function forEachConcurrent<Entry>(
	entries: Entry[],
	limit: number,
	callback: (entry: Entry) => Promise<void>,
	isStopped: () => boolean,
): Promise<void> {
	const rest = entries.values();
	const work = async (): Promise<void> => {
		for (const entry of rest) {
			if (!isStopped()) {
				await callback(entry);
			}
		}
	};
	await Promise.all(Array.from({ length: limit }, work));
}

/**
 * Prepares entries in their order, and yields each when it is prepared: while the caller works on one,
 * the next ones are prepared.
 *
 * @param ahead how many are prepared at once, the one that is yielded next among them
 * @param prepare must not reject
 * @param isStopped whether no other entry is to be prepared
 */
export async function* preparedAhead<Entry>(
	entries: Entry[],
	ahead: number,
	prepare: (entry: Entry) => Promise<void>,
	isStopped: () => boolean,
): AsyncGenerator<Entry, void> {
	const rest = [...entries];
	const preparing: Array<Promise<Entry>> = [];
	const prepareNext = (): void => {
		const next = isStopped() ? undefined : rest.shift();
		if (next !== undefined) {
			preparing.push(prepare(next).then(() => next));
		}
	};

	for (let count = 0; count < ahead; count += 1) {
		prepareNext();
	}

	for (;;) {
		const next = preparing.shift();
		if (next === undefined) {
			return;
		}
		const entry = await next;
		prepareNext();
		yield entry;
	}
}

/** The work under way in this process, by the names that it has locked. */
const mutexes = new Map<string, Promise<void>>();

/**
 * Does work while no other work of this process has one of its names. Waits for all names at once, so
 * that two never wait for each other; throws the signal's reason if it aborts meanwhile.
 */
export async function withMutex<Result>(
	names: string[],
	work: () => Promise<Result>,
	signal?: AbortSignal,
): Promise<Result> {
	for (;;) {
		const others = names.flatMap((name) => mutexes.get(name) ?? []);
		if (others.length === 0) {
			break;
		}
		await abortable(Promise.all(others), signal);
	}
	let unlock = (): void => undefined;
	const lock = new Promise<void>((resolve) => (unlock = resolve));
	for (const name of names) {
		mutexes.set(name, lock);
	}
	try {
		return await work();
	} finally {
		for (const name of names) {
			mutexes.delete(name);
		}
		unlock();
	}
}

/** Waits for a promise; throws a signal's reason as soon as it aborts. */
export async function abortable<Value>(
	promise: Promise<Value>,
	signal?: AbortSignal,
): Promise<Value> {
	let abort = (): void => undefined;
	const aborted = new Promise<void>((resolve) => (abort = resolve));
	signal?.addEventListener('abort', abort);
	if (signal?.aborted === true) {
		abort();
	}
	await Promise.race([promise, aborted]).finally(() => signal?.removeEventListener('abort', abort));
	signal?.throwIfAborted();
	return await promise;
}
