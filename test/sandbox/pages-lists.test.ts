import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, SandboxFixture } from './fixture';
import { follow, press, rowsOf, textOf, Visitor } from './pages-visitor';
import { Receiver } from './receiver';

const visitor = new Visitor();
const fixture = new SandboxFixture();
const receiver = new Receiver();
const openConsole = async (path: string) => await visitor.plainPage(fixture.consoleUrl(path));

describe('the list of requests', () => {
	beforeEach(async () => {
		const { api, control } = fixture;
		await control.clearRequests();
		await api.get(fixture.path());
		await api.get(`/workspace/${demo.otherWorkspaceId}`);
		await control.addFault({ kind: 'status', status: 503 });
		await api.get(fixture.path());
		await control.addFault({ kind: 'cut_after' });
		await expect(api.get(fixture.path())).rejects.toMatchObject({ code: 'ECONNRESET' });
		await (await fixture.userClient()).get('/user/current');
	});

	const statuses = (rows: string[]) => rows.map((row) => /200|404|503|no answer/.exec(row)?.[0]);

	test('says how long each took, and who has called', async () => {
		const [newest, cut] = await rowsOf(await openConsole('/requests'), 'Requests, newest first');

		expect(newest).toMatch(/getCurrentUser 200 [\d.]+ m?s nora@northwind\.example/);
		expect(cut).toMatch(/getWorkspace no answer [\d.]+ m?s northwind-demo-client none cut_after/);
	});

	test('has errors first, the worst before the others, when asked to', async () => {
		const page = await press(await openConsole('/requests'), 'Filter', { Sort: 'errors' });

		expect(statuses(await rowsOf(page, 'Requests, errors first'))).toEqual([
			'no answer',
			'503',
			'404',
			'200',
			'200',
		]);
	});

	test.each([
		['2xx', ['200', '200']],
		['4xx', ['404']],
		['5xx', ['503']],
		['none', ['no answer']],
	])('keeps to the status %s', async (status, expected) => {
		const page = await press(await openConsole('/requests'), 'Filter', { Status: status });

		expect(statuses(await rowsOf(page, 'Requests'))).toEqual(expected);
	});
});

test('deliveries that need a person come first when asked to, with the time that they took', async () => {
	const { control } = fixture;
	await createSubscription(fixture.api, receiver.url());
	await control.addDeliveryFault({ kind: 'drop', match: { eventType: 'payable.approved' } });
	await fixture.approved();
	await fixture.approved();
	await poll('the deliveries', async () => {
		const { delivered, dropped } = await control.deliveryCounts();
		return (delivered === 3 && dropped === 1) || undefined;
	});

	const page = await press(await openConsole('/deliveries'), 'Filter', { Sort: 'errors' });

	const rows = await rowsOf(page, 'Deliveries, errors first');
	expect(rows).toHaveLength(4);
	expect(rows[0]).toContain('payable.approved');
	expect(rows[0]).toContain('Dropped');
	expect(rows[1]).toMatch(/Delivered 1 200 [\d.]+ m?s/);

	await follow(page, 'Overview');
	await follow(page, '1 active subscription');

	expect((await rowsOf(page, 'Webhook subscriptions'))[0]).toContain('Active 0 failed');
});

test.each([
	['The next funding is cut after its effect', { kind: 'cut_after', times: 1 }],
	['The next funding is done, and answered with 503', { kind: 'status', after: true }],
	['The next five requests get 429', { headers: { 'Retry-After': '2' }, remaining: 5 }],
	['A tenth of all requests gets 500, until cleared', { ratio: 0.1, remaining: null }],
	['The next event is forged', { kind: 'forged_signature', times: 1 }],
])('one click is a fault: %s', async (name, expected) => {
	await press(await openConsole('/faults'), name);

	const { control } = fixture;
	const faults = [...(await control.faults()), ...(await control.deliveryFaults())];

	expect(faults).toMatchObject([expected]);
});

test('every fault of one click is one that the control API takes', async () => {
	const page = await openConsole('/faults');
	const names = await page
		.getByRole('region', { name: 'With one click' })
		.getByRole('button')
		.all();
	const labels = await Promise.all(names.map(textOf));
	for (const label of labels) {
		await press(page, label);

		expect(await textOf(page.getByRole('status'))).toMatch(/^Done: /);
	}

	expect(labels.length).toBeGreaterThan(9);

	// One of them has ended all tokens, and others wait for requests.
	await fixture.control.clearFaults();
	fixture.api = await fixture.client();
});

test('a reset asks, and says what would be lost', async () => {
	const { control } = fixture;
	await fixture.payable();
	const page = await openConsole('/payables');
	await page.getByText('Time, tokens, reset').click();
	await follow(page, 'Reset the sandbox');

	expect(await textOf(page.getByRole('main'))).toContain('1 payable');

	await follow(page, 'Keep everything');

	expect(await control.payables()).toHaveLength(1);

	await page.goBack();
	await press(page, 'Reset the sandbox');

	expect(await control.payables()).toEqual([]);
});

describe("a payable's life", () => {
	const lifeOf = async (id: string) => {
		const page = await openConsole(`/records/${id}`);
		return await textOf(page.getByRole('list', { name: 'The life of this payable' }));
	};

	/** How many calls or events all steps have: each stands at its millisecond, and two steps may have the same one. */
	const countIn = (life: string, what: string): number =>
		[...life.matchAll(new RegExp(`(\\d+) ${what}`, 'g'))].reduce(
			(sum, [, count]) => sum + Number(count),
			0,
		);

	test('names who has moved it, and what the service did after that', async () => {
		const { id } = await fixture.fundedPayable({ payee_email: demo.pendingVendorEmail });

		const before = await lifeOf(id);
		expect(before).toMatch(
			/^Draft .* by client northwind-demo-client, with createPayable .*Approved after .* by client northwind-demo-client, with approvePayable .* Will pay Paid$/,
		);
		expect([countIn(before, 'call'), countIn(before, 'event')]).toEqual([2, 2]);

		await fixture.control.verifyVendor(demo.pendingVendorEmail);

		const life = await lifeOf(id);
		expect(life).toMatch(
			/Will pay after .* by the service, after verifyVendor by control API .*Paid after .* by the service, after verifyVendor by control API /,
		);
		const [, since = ''] = life.split('Will pay after');
		expect(countIn(since, 'event')).toBe(3);
	});

	test('names a user by the address, a vendor, the console, and the clock', async () => {
		const { control } = fixture;
		const user = await fixture.userClient();
		const body = { workspace_id: demo.workspaceId, amount: 5, payee_email: 'new@example.com' };
		const { data } = await user.post<{ payable: { id: string } }>('/payable', body);
		const { id } = data.payable;
		await fixture.funded([await fixture.approve(id)]);
		await control.setSettings({ settlement: 'manual' });
		await press(
			await openConsole(`/do/acceptInvitation?workspaceId=${demo.workspaceId}`),
			'Do it',
			{ 'E-mail address': 'new@example.com' },
		);
		await press(await openConsole('/do/verifyVendor'), 'Do it', { Vendor: 'new@example.com' });

		const life = await lifeOf(id);

		expect(life).toContain('by user nora@northwind.example, with createPayable');
		expect(life).toContain('by the service, after verifyVendor by console');
	});
});
