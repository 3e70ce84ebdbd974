import { deliveryFixture } from './delivery-fixture';
import { http, SandboxFixture } from './fixture';
import { DataFile } from './processes';

const { fixture, receiver, control, subscribe, emit, deliveryIn, settled } = deliveryFixture();
const file = new DataFile();
const limited = new SandboxFixture({ requestsPerMinute: 2 });
const MOMENT = '2031-05-06T07:08:09.000Z';

const post = async (path: string, body: object) =>
	await http.post<{ error?: { code: string } }>(`${fixture.sandbox.controlUrl}/clock${path}`, body);

test('a frozen clock stands still in all that is recorded, until it runs on', async () => {
	const frozen = await control().freezeClock();

	const first = await fixture.approved();
	const second = await fixture.approved();

	const events = await control().events();
	const times = [first.created_at, second.updated_at, ...events.map((one) => one.created_at)];
	expect(new Set(times)).toEqual(new Set([frozen]));

	const resumed = await control().resumeClock();
	const later = await fixture.payable();

	expect(Date.parse(resumed) - Date.parse(frozen)).toBeLessThan(1_000);
	expect(Date.parse(later.created_at)).toBeGreaterThanOrEqual(Date.parse(frozen));
});

test('a frozen clock is set to any moment, back and forth, and moved on', async () => {
	await control().freezeClock();

	expect(await control().setClock(MOMENT)).toBe(MOMENT);
	expect(await control().setClock('2020-01-01T00:00:00Z')).toBe('2020-01-01T00:00:00.000Z');
	expect(await control().advanceClock(60)).toBe('2020-01-01T00:01:00.000Z');
	expect(await fixture.payable()).toMatchObject({ created_at: '2020-01-01T00:01:00.000Z' });
});

test('a clock that runs is set forward, and refuses to go back', async () => {
	await control().setClock(MOMENT);

	const back = await post('/set', { at: '2031-05-06T07:08:08Z' });

	expect([back.status, back.data.error?.code]).toEqual([409, 'clock_runs']);
	expect(Date.parse(await control().now())).toBeGreaterThanOrEqual(Date.parse(MOMENT));
});

test.each([
	['a day', '/set', { at: '2031-05-06' }, 400],
	['no time', '/set', {}, 400],
	['a year of five digits', '/set', { at: '+012031-05-06T07:08:09Z' }, 400],
	['before 1970', '/set', { at: '1969-12-31T23:59:59Z' }, 422],
	['a step beyond 9999', '/advance', { seconds: 1e9 }, 422],
])('a time that cannot be is refused: %s', async (_, path, body, status) => {
	await control().freezeClock();
	await control().setClock('9999-01-01T00:00:00Z');

	const answer = await post(path, body);

	expect(answer.status).toBe(status);
	expect(await control().now()).toBe('9999-01-01T00:00:00.000Z');
});

test('nothing that waits becomes due while the clock is frozen', async () => {
	await control().setSettings({ firstRetryMs: 5 });
	receiver.react = () => 503;
	await control().freezeClock();
	await subscribe();
	await emit();
	await deliveryIn('waiting', 1);
	receiver.react = () => 200;

	await emit(1, 1);
	await control().deliveryCounts();

	expect(receiver.received).toHaveLength(2);

	await control().advanceClock(1);

	expect((await settled()).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

test('tokens and due dates follow a clock that is set', async () => {
	await control().setSettings({ settlement: 'due_date' });
	const payable = await fixture.fundedPayable({ due_date: MOMENT });

	expect(await fixture.statusOf(payable)).toBe('will_pay');

	await control().freezeClock();
	await control().setClock(MOMENT);

	expect(await fixture.statusOf(payable)).toBe('paid');
	expect((await fixture.api.get(fixture.path())).status).toBe(401);
});

test('a clock that went back does not hold up who called before', async () => {
	const { sandbox } = limited;
	await sandbox.control.freezeClock();
	await sandbox.control.setClock(MOMENT);
	const api = await limited.client(await sandbox.token());
	await Promise.all([api.get(limited.path()), api.get(limited.path())]);

	const refused = await api.get(limited.path());
	await sandbox.control.setClock('2031-05-06T07:00:00Z');
	const taken = await api.get(limited.path());

	expect([refused.status, taken.status]).toEqual([429, 200]);
});

test('a frozen clock survives a restart, and a reset lets it run', async () => {
	const first = await file.start();
	await first.control.freezeClock();
	await first.control.setClock(MOMENT);

	const { control: again } = await file.start();

	expect(await again.now()).toBe(MOMENT);

	await again.reset();

	expect(Math.abs(Date.parse(await again.now()) - Date.now())).toBeLessThan(5_000);
});
