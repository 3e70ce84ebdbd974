/** The step in which time passes. */
const STEP_MS = 100;
const MAX_STEPS = 15_000;

/** Has the tests of a file or a group wait in fake time. */
export function useFakeTime(): void {
	beforeEach(() => {
		jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
	});

	afterEach(() => {
		jest.useRealTimers();
	});
}

/** Waits for work that waits itself, with up to 25 minutes of fake time. */
export async function elapse<Result>(work: Promise<Result>): Promise<Result> {
	const state = { isSettled: false };
	const settle = (): void => {
		state.isSettled = true;
	};
	work.then(settle, settle);
	for (let step = 0; !state.isSettled && step < MAX_STEPS; step += 1) {
		await jest.advanceTimersByTimeAsync(STEP_MS);
	}

	if (!state.isSettled) {
		throw new Error('The work does not end');
	}

	return await work;
}
