import { NODE_UNDER_TEST, outputItems, successfulItems } from '../../tools/n8n';
import { errorText, expectNoSecrets, useManualRuns } from './support/manualRun';

const { fixture, run, payable } = useManualRuns();

describe('amounts', () => {
	test('19.99 becomes 1999', async () => {
		const execution = await run({ parameters: payable(), items: [{ amount: '19.99' }] });
		expect(successfulItems(execution, NODE_UNDER_TEST)[0]?.json).toMatchObject({ amount: 1999 });
	});

	test.each([
		['1.005', '1.005', /"1.005" has 3 decimals, but the unit has only 2 \[item 1\].*at most two/],
		['0.1 + 0.2', 0.1 + 0.2, /"0.30000000000000004" has 17 decimals.*\.toFixed\(2\)/],
		['9007199254740993', '9007199254740993', /too large to be sent exactly \[item 1\].*Split/],
		['1,234.50', '1,234.50', /not a plain number.*without separators/],
		['zero', '0.00', /is zero.*above zero/],
		['a negative one', '-5', /is negative.*above zero/],
		['nothing', '', /is empty.*Enter it, or check the expression/],
	])(
		'%s is refused before any request, also that of the item before it',
		async (_, amount, sentence) => {
			const execution = await run({ parameters: payable(), items: [{ amount: '5' }, { amount }] });
			expect(errorText(execution)).toMatch(sentence);
			expect(await fixture().sandbox.control.requests()).toEqual([]);
		},
	);

	test('line items that do not add up are refused before any request', async () => {
		const lineItems = {
			item: [
				{ amount: '7', description: 'one' },
				{ amount: '2.99', description: 'two' },
			],
		};
		const parameters = payable({ options: { lineItems } });
		const execution = await run({ parameters, items: [{ amount: '10' }] });
		expect(errorText(execution)).toMatch(
			/line items add up to 9.99, but the amount is 10.00 \[item 0\].*Correct/,
		);
		expect(await fixture().sandbox.control.requests()).toEqual([]);
	});
});

describe('one bad item among good ones', () => {
	const items = [{ amount: '1' }, { amount: 'x' }, { amount: '3' }];

	test('becomes an item with its error when the node goes on', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueRegularOutput' });
		const out = outputItems(execution, NODE_UNDER_TEST);
		expect(out.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(out.map(({ json }) => json.amount)).toEqual([100, undefined, 300]);
		expect(out[1]?.json).toEqual({
			error: 'The amount "x" is not a plain number [item 1]',
			details: { hint: expect.stringContaining('This run sent nothing for it'), in_doubt: false },
		});
	});

	test('goes to the error output when the node has one', async () => {
		const execution = await run({ parameters: payable(), items, onError: 'continueErrorOutput' });
		expect(outputItems(execution, NODE_UNDER_TEST).map(({ json }) => json.amount)).toEqual([
			100, 300,
		]);
		expect(outputItems(execution, NODE_UNDER_TEST, 1).map(({ json }) => json)).toEqual([
			expect.objectContaining({ amount: 'x', error: expect.stringContaining('[item 1]') }),
		]);
	});
});

test('an operation that creates does not run with "Retry On Fail", and sends nothing', async () => {
	const parameters = payable({ amount: '1' });
	const retryOnFail = { maxTries: 2, waitBetweenTries: 0 };
	const execution = await run({ parameters, retryOnFail });
	expect(errorText(execution)).toMatch(
		/^This operation does not run with "Retry On Fail" unless each item has a unique reference \[item 0\]\. Turn it off/,
	);
	expect(await fixture().sandbox.control.requests()).toEqual([]);
});

test('an account that was never connected says so', async () => {
	const unconnected = await fixture().createUser({ oauthTokenData: undefined });
	const parameters = { authentication: 'oAuth2', resource: 'user', operation: 'get' };
	const execution = await run({ parameters, credential: unconnected });
	expect(errorText(execution)).toBe(
		'The credential is not connected to an account [item 0]. Open it and connect your account. Nothing was sent.',
	);
	expect(await fixture().sandbox.control.requests()).toEqual([]);
});

test('no deposit is simulated in production, and nothing is sent', async () => {
	const production = await fixture().createClient({ environment: 'production' });
	const parameters = { ...payable({ amount: '5' }), resource: 'deposit', operation: 'simulate' };
	const execution = await run({ parameters, credential: production });
	expect(errorText(execution)).toMatch(/belongs to production, where deposits are real \[item 0\]/);
	expect(await fixture().sandbox.control.requests()).toEqual([]);
});

test('no secret is in what n8n stored and logged of these runs', () => {
	expectNoSecrets(fixture());
});
