import { Batcher } from '../../../nodes/PartnerPayments/shared/batcher';

/** A call that was made, which a test ends. */
interface Call {
	by: string;
	inputs: string[];
	end: (output: string) => void;
	fail: (error: Error) => void;
}

/** Callers of one batcher, and the calls that were made for them. */
function setUp() {
	const batcher = new Batcher<string, string>();
	const calls: Call[] = [];
	const ask = async (name: string): Promise<string> =>
		await batcher.run(name, async (inputs) => {
			return await new Promise((resolve, reject) => {
				calls.push({ by: name, inputs: [...inputs], end: resolve, fail: reject });
			});
		});

	return { ask, calls };
}

/** Lets all that is ready run. */
const settle = async (): Promise<void> => {
	await new Promise((resolve) => setImmediate(resolve));
};

test('a caller alone works at once', async () => {
	const { ask, calls } = setUp();

	const answer = ask('one');
	calls[0]?.end('done');

	expect(await answer).toBe('done');
	expect(calls.map(({ inputs }) => inputs)).toEqual([['one']]);
});

test('what comes while a call is under way is done together in the next one', async () => {
	const { ask, calls } = setUp();
	const answers = ['one', 'two', 'three'].map(ask);

	calls[0]?.end('first');
	await settle();
	calls[1]?.end('second');

	expect(await Promise.all(answers)).toEqual(['first', 'second', 'second']);
	expect(calls.map(({ inputs }) => inputs)).toEqual([['one'], ['two', 'three']]);
});

test('when the caller who works for others fails, each of them works alone', async () => {
	const { ask, calls } = setUp();
	const one = ask('one');
	const others = ['two', 'three', 'four'].map(ask);
	calls[0]?.end('first');
	await one;
	await settle();

	calls[1]?.fail(new Error('timed out'));
	const results = Promise.allSettled(others);
	await settle();
	calls[2]?.end('own of three');
	calls[3]?.fail(new Error('the table is gone'));

	expect(await results).toEqual([
		{ status: 'rejected', reason: new Error('timed out') },
		{ status: 'fulfilled', value: 'own of three' },
		{ status: 'rejected', reason: new Error('the table is gone') },
	]);
	expect(calls.map(({ by, inputs }) => [by, ...inputs])).toEqual([
		['one', 'one'],
		['two', 'two', 'three', 'four'],
		['three', 'three'],
		['four', 'four'],
	]);
});

test('works again after a call that failed', async () => {
	const { ask, calls } = setUp();
	const failed = ask('one');
	calls[0]?.fail(new Error('the table is gone'));
	await expect(failed).rejects.toThrow('the table is gone');

	const answer = ask('two');
	calls[1]?.end('done');

	expect(await answer).toBe('done');
});
