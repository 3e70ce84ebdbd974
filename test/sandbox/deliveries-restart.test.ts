import { startSandbox, type Sandbox } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { deliveryFixture, HOUR_MS } from './delivery-fixture';
import { createSubscription } from './fixture';
import { runNode, sandboxFile, TemporaryFolder } from './processes';

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

	test.each([
		['stopped', async (running: Sandbox) => await running.stop()],
		[
			'killed',
			async (running: Sandbox) => {
				process.kill(running.pid, 'SIGKILL');
				await running.stop();
			},
		],
	])('while a subscriber is silent, by being %s, sends it again', async (_, end) => {
		const first = await start();
		await subscribeIn(first);
		receiver.react = () => 'silence';
		await first.control.emitEvents(makeEvents(1));
		await arrived(1);
		await end(first);
		receiver.react = () => 200;
		const second = await start();
		await eventually(second, [['delivered', 1]]);
		expect(receiver.received).toHaveLength(2);
	});
});

test('a sandbox that is closed leaves nothing behind that keeps its process running', () => {
	const file = (name: string) => JSON.stringify(sandboxFile(name));
	// Nothing of the receiver keeps the process: what does would be the sandbox's.
	const program = `
		const http = require('node:http');
		const { startServer } = require(${file('server.ts')});
		const { readOptions } = require(${file('options.ts')});
		const { connect } = require(${file('client.ts')});
		const paths = new Set();
		const receiver = http.createServer((request, response) => {
			paths.add(request.url);
			if (request.url !== '/silence') response.writeHead(request.url === '/ok' ? 200 : 500).end();
		});
		receiver.on('connection', (socket) => socket.unref());
		receiver.listen(0, 'localhost', async () => {
			receiver.unref();
			const options = readOptions(['--port', '0', '--auth-port', '0']);
			const { ready, close } = await startServer(options, console.error);
			const { api, control, workspaceId } = connect(ready, close);
			const client = await api();
			await control.setDeliveryOptions({ firstRetryMs: 3_600_000, timeoutMs: 600_000 });
			for (const path of ['/ok', '/failure', '/silence']) {
				const url = 'http://localhost:' + receiver.address().port + path;
				const events = ['payable.paid'];
				await client.post('/workspace/' + workspaceId + '/webhook-subscription', { url, events });
			}
			const data = { payable: { id: 'p' } };
			await control.emitEvents([{ event_type: 'payable.paid', workspaceId, data }]);
			while (paths.size < 3) await new Promise((done) => setTimeout(done, 10));
			await close();
			console.log('closed');
		});
	`;
	const { stdout, stderr, status } = runNode('-e', program);
	expect({ stdout, stderr, status }).toEqual({ stdout: 'closed\n', stderr: '', status: 0 });
});
