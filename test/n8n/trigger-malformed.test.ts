import { MalformedDeliveries } from './support/malformed';
import { useTrigger } from './support/trigger';

const trigger = useTrigger();

let deliveries: MalformedDeliveries;

beforeAll(async () => {
	deliveries = await MalformedDeliveries.prepare(trigger);
});

test('hundreds of malformed deliveries start nothing', async () => {
	const first = await deliveries.deliverValid();
	await deliveries.deliverMalformed(300);
	await deliveries.expectStarted([first, await deliveries.deliverValid()]);
});

test.each([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('an event that is deep in itself is answered and leaves n8n up: %s', async (_, open, close) => {
	await deliveries.deliverDeep(open, close);
	await deliveries.deliverValid();
});
