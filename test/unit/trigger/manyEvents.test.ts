import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';
import { subscribe } from '../../../nodes/PartnerPayments/trigger/subscriptions';
import { kinds, NONE } from './events';
import { FakeTrigger } from './fakeTrigger';

const SECRET = 'whsec_of_the_subscription';

const paid = (count: number): object => ({
	events: Array.from({ length: count }, (_, index) => ({
		type: 'payable_paid',
		payable_id: String(index),
	})),
});

async function subscribed(): Promise<FakeTrigger> {
	const trigger = new FakeTrigger();
	trigger.answer = () => ({ body: { secret: SECRET } });
	await subscribe(trigger.hooks);
	return trigger;
}

test('as many events as a trigger keeps start their workflow once, however often they come', async () => {
	const trigger = await subscribed();
	expect((await trigger.deliver(paid(5000), SECRET)).items).toHaveLength(5000);
	expect(await trigger.deliver(paid(5000), SECRET)).toEqual({ status: 200, items: [] });
});

test('more events than a trigger can keep are refused together', async () => {
	const trigger = await subscribed();
	expect(await trigger.deliver(paid(5001), SECRET)).toEqual({ status: 413, items: [] });
	expect((await trigger.deliver(paid(1), SECRET)).items).toHaveLength(1);
});

test('a text that is longer than any name means nothing', () => {
	const long = `payable.paid${'.v1'.repeat(100)}`;
	expect(kinds({ type: long, data: { id: 'p', status: 'paid' } })).toEqual([]);
	expect(parseEvents({ type: 'payable.paid.v1', data: { id: 'p' } }, NONE)).toHaveLength(1);
});
