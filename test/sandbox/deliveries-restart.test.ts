import type { Sandbox } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { startSandbox } from '../support/sandbox';
import { deliveryFixture, HOUR_MS } from './delivery-fixture';
import { createSubscription } from './fixture';
import { TemporaryFolder } from './processes';

const { receiver, makeEvents, arrived } = deliveryFixture();

describe('a sandbox that ends', () => {
	const folder = new TemporaryFolder();
	let sandbox: Sandbox | undefined;
	afterEach(async () => {
		await sandbox?.stop();
	});

	/** Starts it on the same file as before. */
	const start = async () => (sandbox = await startSandbox({ data: folder.file('state.db') }));
	const subscribeIn = async ({ api, workspaceId }: Sandbox) =>
		await createSubscription(await api(), workspaceId, receiver.url());
	const states = async ({ control }: Sandbox) =>
		(await control.deliveries()).map(({ state, attempts }) => [state, attempts]);
	const eventually = async (running: Sandbox, wanted: [string, number][]) =>
		await poll(`the states ${JSON.stringify(wanted)}`, async () =>
			JSON.stringify(await states(running)) === JSON.stringify(wanted) ? true : undefined,
		);

	test('goes on where it was: attempts, times and options', async () => {
		const first = await start();
		await first.control.setDeliveryOptions({ firstRetryMs: HOUR_MS, names: 'snake' });
		await subscribeIn(first);
		receiver.react = () => 500;
		await first.control.emitEvents(makeEvents(1));
		await eventually(first, [['waiting', 1]]);
		const before = await first.control.deliveries();
		await first.stop();

		const second = await start();
		expect(await second.control.deliveries()).toEqual(before);
		expect(receiver.received).toHaveLength(1);
		receiver.react = () => 200;
		await second.control.advanceClock(3600);
		await eventually(second, [['delivered', 2]]);
		const [one, two] = receiver.received;
		expect(receiver.received).toHaveLength(2);
		expect(two).toEqual(one);
	});

	test('sends what was recorded and not sent', async () => {
		const first = await start();
		await subscribeIn(first);
		await first.control.pauseDeliveries();
		await first.control.emitEvents(makeEvents(2));
		await first.stop();
		const second = await start();
		expect(await states(second)).toEqual([
			['waiting', 0],
			['waiting', 0],
		]);
		await second.control.resumeDeliveries();
		await eventually(second, [
			['delivered', 1],
			['delivered', 1],
		]);
	});

	test('while a subscriber is silent, sends it again', async () => {
		const first = await start();
		await subscribeIn(first);
		receiver.react = () => 'silence';
		await first.control.emitEvents(makeEvents(1));
		await arrived(1);
		await first.stop();
		receiver.react = () => 200;
		const second = await start();
		await eventually(second, [['delivered', 1]]);
		expect(receiver.received).toHaveLength(2);
	});
});
