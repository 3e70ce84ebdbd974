/**
 * Works through tasks several at a time, begun in their order.
 *
 * @param most how many are under way at once
 * @param work does one task; must not reject
 * @param isOver asked before each task: once it says so, no more is begun
 */
export async function severalAtOnce<Task>(
	tasks: Iterable<Task>,
	most: number,
	work: (task: Task) => Promise<void>,
	isOver: () => boolean,
): Promise<void> {
	const waiting = tasks[Symbol.iterator]();
	const workThrough = async (): Promise<void> => {
		for (let next = waiting.next(); !next.done && !isOver(); next = waiting.next()) {
			await work(next.value);
		}
	};
	await Promise.all(Array.from({ length: most }, workThrough));
}
