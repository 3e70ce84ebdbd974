import type { NonEmpty } from './lists';

/** One caller's part of a batch. */
interface Part<Input, Output> {
	input: Input;
	work: (inputs: NonEmpty<Input>) => Promise<Output>;
	resolve: (output: Output | Promise<Output>) => void;
}

/**
 * Does the work of several callers at once: what comes while a call is under way is done together in the next
 * one. So a caller alone waits for nobody, and many wait for two calls at most.
 */
export class Batcher<Input, Output> {
	private readonly waiting: Array<Part<Input, Output>> = [];
	private isWorking = false;

	/**
	 * @param work is called for the inputs of several callers, by one of them; alone with its own input if that fails
	 * @returns the output for all of these inputs
	 */
	async run(input: Input, work: (inputs: NonEmpty<Input>) => Promise<Output>): Promise<Output> {
		return await new Promise((resolve) => {
			this.waiting.push({ input, work, resolve });
			if (!this.isWorking) {
				void this.workOff();
			}
		});
	}

	private async workOff(): Promise<void> {
		this.isWorking = true;
		for (;;) {
			const [first, ...others] = this.waiting.splice(0);
			if (first === undefined) {
				break;
			}
			await workTogether([first, ...others]);
		}
		this.isWorking = false;
	}
}

async function workTogether<Input, Output>(parts: NonEmpty<Part<Input, Output>>): Promise<void> {
	const [first, ...others] = parts;
	const inputs: NonEmpty<Input> = [first.input, ...others.map(({ input }) => input)];
	const result = first.work(inputs);
	try {
		await result;
	} catch {
		// It may be only the first caller that cannot work, such as an execution that has timed out.
		first.resolve(result);
		for (const { input, work, resolve } of others) {
			resolve(work([input]));
		}
		return;
	}
	for (const { resolve } of parts) {
		resolve(result);
	}
}
