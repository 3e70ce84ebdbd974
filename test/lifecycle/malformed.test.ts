import { Probe } from '../../tools/n8n';
import { useFixtureOn, useOwnN8n } from '../n8n/support/fixture';
import { MalformedDeliveries } from '../n8n/support/malformed';
import { useResource } from '../n8n/support/resource';
import { useTrigger } from '../n8n/support/trigger';

/** After so many, everything is loaded and compiled that deliveries need. */
const WARM_UP = 2_000;
const DELIVERIES = 8_000;
/** A delivery that is kept takes several times as much. */
const MOST_BYTES_EACH = 2_000;
const TIMEOUT_MS = 600_000;

const heap = useResource(
	async () => await Probe.prepare(),
	() => {},
);
// n8n's default expression engine, which npm test uses, takes ten times as long for a delivery.
const n8n = useOwnN8n(() => ({
	...heap().startOptions,
	env: { ...heap().startOptions.env, N8N_EXPRESSION_ENGINE: 'legacy' },
}));
const trigger = useTrigger(useFixtureOn(n8n));
let deliveries: MalformedDeliveries;

beforeAll(async () => {
	deliveries = await MalformedDeliveries.prepare(trigger);
});

test(
	'ten thousand malformed deliveries start nothing and leave n8n as it was',
	async () => {
		const first = await deliveries.deliverValid();
		await deliveries.deliverMalformed(WARM_UP);
		const before = await heap().usedBytes();
		await deliveries.deliverMalformed(DELIVERIES);
		const after = await heap().usedBytes();
		expect((after - before) / DELIVERIES).toBeLessThan(MOST_BYTES_EACH);
		await deliveries.expectStarted([first, await deliveries.deliverValid()]);
		expect(n8n().log()).not.toMatch(/heap out of memory|Last session crashed/);
	},
	TIMEOUT_MS,
);

test.each([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('an event that is deep in itself is answered and leaves n8n up: %s', async (_, open, close) => {
	await deliveries.deliverDeep(open, close);
	await deliveries.deliverValid();
});
