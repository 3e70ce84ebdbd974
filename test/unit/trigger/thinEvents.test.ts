import { NodeOperationError } from 'n8n-workflow';

import { rejectionOf } from '../support';
import { type FakeTrigger, paid, subscribed, WORKSPACE } from './fakeTrigger';

const PARTNER = { id: 'partner-1', status: 'verified', business_name: 'Ana Ltd' };

const changed = (data: object = { id: 'partner-1' }): object =>
	paid({ event_type: 'partner.status_changed', data });
const payable = (event_type: string): object => paid({ event_type, data: { id: 'payable-1' } });

/** A trigger whose service tells the partner, and takes unsigned events. */
async function trigger(options: FakeTrigger['options'] = {}): Promise<FakeTrigger> {
	const made = await subscribed({ unsignedEvents: 'accept', ...options }, {});
	made.sent.length = 0;
	made.answer = () => ({ body: { partner: PARTNER } });

	return made;
}

// The deadline of a request outlives its answer, and would keep the tests from ending.
beforeEach(() => {
	jest.useFakeTimers({ advanceTimers: true });
});

afterEach(() => {
	jest.useRealTimers();
});

const READ = { path: `/v1/workspace/${WORKSPACE}/partner/partner-1` };

describe('an event that says nothing of its partner but the ID', () => {
	test('comes out with the partner and its status, as the service has them #event-without-object-fields', async () => {
		const thin = await trigger();

		expect(await thin.deliver(changed())).toMatchObject({
			status: 200,
			items: [{ partner_id: 'partner-1', status: 'verified', partner: PARTNER }],
		});
		expect(thin.sent).toEqual([READ]);
	});

	test('starts the workflow for the chosen statuses alone', async () => {
		const thin = await trigger({ statuses: ['Verified'] });
		thin.answer = () => ({ body: { ...PARTNER, status: 'pending' } });

		expect(await thin.deliver(changed())).toEqual({ status: 200, items: [] });

		thin.answer = () => ({ body: PARTNER });

		expect((await thin.deliver(changed())).items).toMatchObject([{ status: 'verified' }]);
		expect(thin.sent).toEqual([READ, READ]);
	});

	test.each([
		['nothing else, each time it comes', {}, 2],
		['its own ID, once', { id: 'event-of-partner' }, 1],
		['when it happened, once', { created_at: '2026-03-01T09:00:00Z' }, 1],
		['a status, each time it comes', { status: 'verified' }, 2],
	])('and %s, starts #thin-events-alike', async (_, known, count) => {
		const thin = await trigger();
		const event = { event_type: 'partner.status_changed', data: { id: 'partner-1' }, ...known };

		const receipts = [await thin.deliver(event), await thin.deliver(event)];

		expect(receipts.flatMap(({ items }) => items)).toHaveLength(count);
	});

	test('is handed on as it is in raw mode', async () => {
		const raw = await trigger({ simplify: false });
		const body = changed();

		const { items } = await raw.deliver(body);

		expect(items).toEqual([{ body, verified: false }]);
		expect(raw.sent).toEqual([]);
	});

	test('is chosen by its status in raw mode, too', async () => {
		const chosen = await trigger({ simplify: false, statuses: ['rejected'] });

		const { items } = await chosen.deliver(changed());

		expect(items).toEqual([]);
		expect(chosen.sent).toEqual([READ]);
	});

	test.each<[what: string, answer: { status?: number; body: unknown }]>([
		['has no such partner', { status: 404, body: { message: 'No\nsuch partner' } }],
		['tells another partner', { body: { ...PARTNER, id: 'partner-2' } }],
		['tells no status', { body: { id: 'partner-1' } }],
	])('ends its execution with an error when the service %s', async (_, answer) => {
		const thin = await trigger();
		thin.answer = () => answer;

		expect(await rejectionOf(thin.deliver(changed()))).toBeInstanceOf(NodeOperationError);
		expect(thin.sent).toEqual([READ]);
	});
});

test('an event that tells the status of its partner is not asked for', async () => {
	const full = await trigger();
	const partner = { id: 'partner-1', status: 'pending' };

	expect((await full.deliver(changed({ partner }))).items).toMatchObject([{ partner }]);
	expect(full.sent).toEqual([]);
});

test('the chosen statuses leave out no event that has no status', async () => {
	const chosen = await trigger({ statuses: ['paid'] });

	const started = [];
	for (const type of ['payable.paid', 'payable.will_pay', 'payable.status_changed']) {
		started.push(...(await chosen.deliver(payable(type))).items);
	}

	expect(started).toMatchObject([{ status: 'paid' }, { status: null }]);
	expect(chosen.sent).toEqual([]);
});
