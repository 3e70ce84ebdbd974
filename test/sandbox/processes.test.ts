import { startSandbox, type Ready } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { valuesToEnter } from '../../sandbox/values';
import { makeEvents } from './delivery-fixture';
import { createSubscription } from './fixture';
import { DataFile, runNode, sandboxFile } from './processes';
import { Receiver } from './receiver';

/** What only a process of its own can show; everything else runs in the process of the tests. */
const data = new DataFile();
const receiver = new Receiver();
const TAKEN = /^The sandbox cannot run: .*EADDRINUSE.*\n$/;

test.each<[what: string, () => string[], status: number, sentence: RegExp]>([
	['a wrong flag', () => ['--colour'], 2, /--colour[\s\S]*Usage/],
	['a taken port', () => ['--port', String(receiver.port)], 1, TAKEN],
])('%s ends it with a sentence', (_, flags, status, sentence) => {
	const ended = runNode(sandboxFile('main.ts'), ...flags());

	expect(ended).toMatchObject({ status, stderr: expect.stringMatching(sentence) as string });
	expect(ended.stderr).not.toContain('    at ');
});

test('a data file in use ends it with a sentence', async () => {
	await data.start();

	const ended = runNode(sandboxFile('main.ts'), '--port=0', '--auth-port=0', '--data', data.path);

	const sentence: unknown = expect.stringMatching(/^The sandbox cannot run: .* in use .*\n$/);
	expect(ended).toMatchObject({ status: 1, stderr: sentence });
});

test('the sandbox prints what to enter in n8n, and ends with the program that started it', async () => {
	const program = `
		const { startSandbox } = require(${JSON.stringify(sandboxFile('client.ts'))});
		let output = '';
		startSandbox({ onOutput: (text) => (output += text) }).then((ready) => {
			console.log(JSON.stringify({ ready, output }));
			process.kill(process.pid, 'SIGKILL');
		});
	`;

	const { stdout, signal } = runNode('-e', program);

	expect(signal).toBe('SIGKILL');

	const { ready, output } = JSON.parse(stdout) as { ready: Ready; output: string };

	expect(output).toContain(valuesToEnter(ready));
	expect(output).toContain(ready.apiUrl);

	await poll('the sandbox to end', async () => !(await answers(ready.apiUrl)) || undefined, {
		intervalMs: 10,
		timeoutMs: 10_000,
	});
});

/** Its process ID would tell nothing: in a container without an init, a process that has ended keeps it. */
const answers = async (url: string): Promise<boolean> =>
	await fetch(url).then(
		() => true,
		() => false,
	);

test('a sandbox that is killed while a subscriber is silent sends it again', async () => {
	const { api, control, pid, stop } = await startSandbox({ data: data.path });
	await createSubscription(await api(), receiver.url());
	receiver.react = () => 'silence';
	await control.emitEvents(makeEvents(1));
	await poll('the event', () => (receiver.received.length > 0 ? true : undefined));
	process.kill(pid, 'SIGKILL');
	await stop();
	receiver.react = () => 200;
	const again = await data.start();
	const delivered = async () => (await again.control.deliveryCounts()).delivered || undefined;

	await poll('the delivery', delivered);

	expect(receiver.received).toHaveLength(2);
});
