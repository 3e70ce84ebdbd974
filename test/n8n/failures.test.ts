import { byId, NODE_UNDER_TEST, outputItems, successfulItems } from '../../tools/n8n';
import { errorText, expectNoSecrets, useManualRuns } from './support/manualRun';

const { fixture, run, payable } = useManualRuns();

describe('what goes wrong on the way is one sentence with the item and what to do', () => {
	const wallet = (id: string) => ({
		resource: 'wallet',
		operation: 'get',
		workspaceId: byId(id),
	});

	test('an unreachable host', async () => {
		const other = await fixture().createClient({ apiBaseUrl: 'http://localhost:9' });
		const execution = await run({
			parameters: wallet(fixture().sandbox.workspaceId),
			credential: other,
		});
		expect(errorText(execution)).toMatch(
			/^Could not get the wallet: localhost:9 cannot be reached, nothing answers at that address, tried 5 times \[item 0\]\. Check the API Base URL/,
		);
	});

	test('a wrong secret', async () => {
		const other = await fixture().createClient({ clientSecret: 'a-wrong-secret' });
		const execution = await run({
			parameters: wallet(fixture().sandbox.workspaceId),
			credential: other,
		});
		expect(errorText(execution)).toMatch(
			/^No access token: the client ID or the client secret is wrong .* \[item 0\]\. Check both in the credential/,
		);
	});

	test('a workspace of nobody', async () => {
		const execution = await run({ parameters: wallet('00000000-0000-4000-8000-000000000000') });
		expect(errorText(execution)).toMatch(
			/^Could not get the wallet: .*\(status 404\) \[item 0\]\. Check the IDs/,
		);
	});

	test('a refusal of the service', async () => {
		const parameters = payable({ payeeIdentifiedBy: 'serviceId', payeeServiceId: 'nobody' });
		const execution = await run({ parameters, items: [{ amount: '1' }] });
		expect(errorText(execution)).toMatch(
			/^Could not create the payable: .*nobody.*\(status 422\) \[item 0\]\. Check the values/,
		);
	});

	test('a page of a proxy in place of an answer', async () => {
		await fixture().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'status',
			status: 502,
			times: 5,
			body: '<html><head><title>502 Bad Gateway</title></head></html>',
			contentType: 'text/html',
		});
		const execution = await run({ parameters: wallet(fixture().sandbox.workspaceId) });
		expect(errorText(execution)).toMatch(
			/^Could not get the wallet: the service answered "502 Bad Gateway" \(status 502\), tried 5 times \[item 0\]\. .*Try again later/,
		);
	});

	test('an outage, unless it is over soon', async () => {
		await fixture().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'status',
			status: 503,
			times: 2,
		});
		const execution = await run({ parameters: wallet(fixture().sandbox.workspaceId) });
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		const requests = await fixture().sandbox.control.requests('getWallet');
		expect(requests.map(({ status }) => status)).toEqual([503, 503, 200]);
	});

	test('too many requests, unless waiting helps #too-many-requests', async () => {
		await fixture().sandbox.control.addFault({
			match: { operationId: 'createPayable' },
			kind: 'status',
			status: 429,
		});
		const execution = await run({ parameters: payable(), items: [{ amount: '1' }] });
		expect(successfulItems(execution, NODE_UNDER_TEST)).toHaveLength(1);
		const requests = await fixture().sandbox.control.requests('createPayable');
		expect(requests.map(({ status }) => status)).toEqual([429, 200]);
	});

	test('an empty success', async () => {
		await fixture().sandbox.control.addFault({
			match: { operationId: 'getWallet' },
			kind: 'body',
			body: '',
		});
		const execution = await run({ parameters: wallet(fixture().sandbox.workspaceId) });
		expect(errorText(execution)).toMatch(
			/^Could not get the wallet: the service answered without a wallet \(status 200\) \[item 0\]\. Check that the API Base URL/,
		);
	});

	test.each([
		['an empty success', { kind: 'body', body: '' }],
		['an error of the service', { kind: 'status', status: 500 }],
		['a connection cut after the effect', { kind: 'cut_after' }],
	] as const)('%s leaves a payable in doubt #creation-in-doubt', async (_, fault) => {
		await fixture().sandbox.control.addFault({ match: { operationId: 'createPayable' }, ...fault });
		const execution = await run({
			parameters: payable(),
			items: [{ amount: '1' }],
			onError: 'continueRegularOutput',
		});
		expect(outputItems(execution, NODE_UNDER_TEST)[0]?.json).toEqual({
			error: expect.stringMatching(
				/^In doubt whether the request to create the payable went through, so do not repeat it: .*\[item 0\]$/,
			),
			details: expect.objectContaining({
				in_doubt: true,
				hint: expect.stringMatching(
					/Only when they confirm .* run this item again\..*POST \/payable with .*"amount":100/,
				),
			}),
		});
		expect(await fixture().sandbox.control.requests('createPayable')).toHaveLength(1);
	});

	test('a failure in the middle, which names what was done all the same', async () => {
		const { verifiedVendorServiceId: known, control } = fixture().sandbox;
		const parameters = payable({
			payeeIdentifiedBy: 'serviceId',
			payeeServiceId: '={{ $json.payee }}',
		});
		const before = (await control.payables()).length;
		const execution = await run({
			parameters,
			items: [known, known, 'nobody', known].map((payee) => ({ amount: '1', payee })),
		});
		const created = (await control.payables()).slice(before).map(({ id }) => id);
		expect(errorText(execution)).toContain('[item 2]');
		expect(created.length).toBeGreaterThan(0);
		for (const id of created) expect(errorText(execution)).toContain(`(${id})`);
	});
});

test('user endpoints say that they need a connected user', async () => {
	const execution = await run({ parameters: { resource: 'user', operation: 'get' } });
	expect(errorText(execution)).toMatch(
		/choose an OAuth2 credential.* \[item 0\]\. Could not get the user: .*\(status 403\)/,
	);
});

test('no secret is in what n8n stored and logged', () => {
	expectNoSecrets(fixture(), ['a-wrong-secret']);
});
