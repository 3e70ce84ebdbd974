import { FakeDepositTrigger } from './fakeDepositTrigger';
import { FakeTrigger, paid, SECRET, subscribed } from './fakeTrigger';

const OPTIONS = '={{ { unsignedEvents: "refuse" } }}';
const REFUSAL = '"Options" is one expression';

describe('a trigger whose options are one expression', () => {
	test('is not published, and subscribes to nothing', async () => {
		const trigger = new FakeTrigger();
		trigger.parameters = { ...trigger.parameters, options: OPTIONS };

		await expect(trigger.publish()).rejects.toThrow(REFUSAL);

		expect(trigger.sent).toEqual([]);
	});

	test('takes no delivery', async () => {
		const trigger = await subscribed();
		trigger.parameters = { ...trigger.parameters, options: OPTIONS };

		await expect(trigger.deliver(paid(), SECRET)).rejects.toThrow(REFUSAL);
	});

	test('says so of a collection within, too', async () => {
		const trigger = new FakeTrigger();
		const options = { eventIdentifiers: '={{ { map: [] } }}' };
		trigger.parameters = { ...trigger.parameters, options };

		await expect(trigger.publish()).rejects.toThrow('"Event Identifiers" is one expression');
	});

	test('looks for no deposits, in a poll or in a test', async () => {
		const trigger = new FakeDepositTrigger();
		trigger.options = '={{ { includeExisting: true } }}';
		let requests = 0;
		trigger.onRequest = () => {
			requests += 1;
		};

		await expect(trigger.activate().poll()).rejects.toThrow(REFUSAL);
		await expect(trigger.fetchTestEvent()).rejects.toThrow(REFUSAL);

		expect(requests).toBe(0);
	});
});

test('an identifier without an event means a payment, which the editor shows at first', async () => {
	const trigger = await subscribed({ 'eventIdentifiers.map': [{ identifier: 'x.settled' }] });

	const { items } = await trigger.deliver(paid({ event_type: 'x.settled' }), SECRET);

	expect(items).toMatchObject([{ event: 'payablePaid' }]);
});
