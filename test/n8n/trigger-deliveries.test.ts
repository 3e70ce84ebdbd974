import { byId, credentialsOf } from '../../tools/n8n';
import {
	answerWithSecret,
	deliver,
	deliverSigned,
	SECRET,
	signatureOf,
	useTrigger,
} from './support/trigger';

const { fixture, client, countSubscriptions, event, executionsOf, itemsOf, listen, signing } =
	useTrigger();

describe('a delivery', () => {
	test('is refused when its signature is missing or wrong, and starts nothing #wrong-signature-refused', async () => {
		const { workflow, url } = await listen(signing());
		const body = JSON.stringify(event());
		const right = signatureOf(body, SECRET);
		const forged: Array<Record<string, string>> = [
			{},
			{ 'X-Signature': '' },
			{ 'X-Signature': signatureOf(body, 'another secret') },
			{ 'X-Signature': right.slice(0, -2) },
			{ 'X-Signature': `${right}00` },
			{ 'X-Signature': signatureOf(JSON.stringify(event()), SECRET) },
			{ 'X-Hub-Signature': right },
			{ Authorization: right },
		];
		for (const headers of forged) {
			expect(await deliver(url, body, headers)).toEqual({
				status: 401,
				data: { message: 'The signature is missing or wrong' },
			});
		}
		// Forged ones do not count as the first delivery of the event.
		expect((await deliver(url, body, { 'X-Signature': right })).status).toBe(200);
		expect(await executionsOf(workflow)).toHaveLength(1);
	});

	test.each([
		['hex', (body: string) => signatureOf(body, SECRET)],
		['base64', (body: string) => signatureOf(body, SECRET, 'base64')],
		['hex with a prefix', (body: string) => `sha256=${signatureOf(body, SECRET)}`],
		['base64 with a prefix', (body: string) => `sha256=${signatureOf(body, SECRET, 'base64')}`],
	])('is accepted with its signature in %s', async (_, sign) => {
		const { workflow, url } = await listen(signing());
		const body = JSON.stringify(event());
		expect((await deliver(url, body, { 'X-Signature': sign(body) })).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
	});

	test('is accepted with its signature in the header that was chosen, and in no other', async () => {
		const { workflow, url } = await listen(signing(), {
			options: { signatureHeader: 'Acme-Signature' },
		});
		const body = JSON.stringify(event());
		const signature = signatureOf(body, SECRET);
		expect((await deliver(url, body, { 'X-Signature': signature })).status).toBe(401);
		expect((await deliver(url, body, { 'ACME-SIGNATURE': signature })).status).toBe(200);
		expect(await itemsOf(workflow)).toHaveLength(1);
	});

	test('is checked with the secret of the subscription, which is nowhere in clear', async () => {
		const { n8n, sandbox } = fixture();
		const secret = 'whsec_7f3a-of-the-subscription';
		await answerWithSecret(fixture(), secret);
		const { workflow, url } = await listen(client());
		for (const headers of [{}, { 'X-Signature': signatureOf(JSON.stringify(event()), secret) }]) {
			expect((await deliver(url, event(), headers)).status).toBe(401);
		}
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
		await n8n.restart();
		expect((await deliverSigned(url, event(), secret)).status).toBe(200);
		expect((await deliver(url, event())).status).toBe(401);

		await n8n.deactivate(workflow.id);
		expect(n8n.database.workflowText()).toContain(url);
		const stored = n8n.database.workflowText() + n8n.database.executionText() + n8n.log();
		expect(stored).not.toContain(secret);
		expect(stored).not.toContain(Buffer.from(secret).toString('base64'));
		expect(JSON.stringify(await sandbox.control.requests())).not.toContain(secret);
	});

	test('is refused when it was signed for another workspace', async () => {
		const { sandbox } = fixture();
		const secrets = { one: 'whsec_one', other: 'whsec_other' };
		await answerWithSecret(fixture(), secrets.one);
		const one = await listen(client());
		await answerWithSecret(fixture(), secrets.other);
		const other = await listen(client(), {
			workspaceId: byId(sandbox.secondWorkspaceId),
		});
		expect((await deliverSigned(one.url, event(), secrets.other)).status).toBe(401);
		const elsewhere = event({ workspace_id: sandbox.secondWorkspaceId });
		expect((await deliverSigned(other.url, elsewhere, secrets.one)).status).toBe(401);
		expect((await deliverSigned(one.url, event(), secrets.one)).status).toBe(200);
		expect(await executionsOf(one.workflow)).toHaveLength(1);
		expect(await executionsOf(other.workflow)).toEqual([]);
	});

	test('is checked again after the client got another secret and the workflow was activated', async () => {
		const { n8n, createUser } = fixture();
		await answerWithSecret(fixture(), 'whsec_before');
		const { workflow, url } = await listen(client());
		const credentials = credentialsOf([await createUser()]);
		const nodes = workflow.nodes.map((node) => ({
			...node,
			parameters: { ...node.parameters, authentication: 'oAuth2' },
			credentials,
		}));
		await answerWithSecret(fixture(), 'whsec_after');
		const made = await countSubscriptions();
		await n8n.saveWorkflow({ ...workflow, nodes });
		await n8n.activate(workflow.id);
		expect(await made()).toBe(1);
		expect((await deliver(url, event())).status).toBe(401);
		expect((await deliverSigned(url, event(), 'whsec_before')).status).toBe(401);
		expect((await deliverSigned(url, event(), 'whsec_after')).status).toBe(200);
		expect(await itemsOf(workflow)).toMatchObject([{ verified: true }]);
	});

	test('is refused for its size before anything else, then for its signature, then as no JSON', async () => {
		const { workflow, url } = await listen(signing());
		const large = Buffer.alloc(1024 * 1024 + 1, 'x');
		expect((await deliver(url, large, { 'content-type': 'text/plain' })).status).toBe(413);
		const text = { 'content-type': 'text/plain' };
		expect((await deliver(url, 'no JSON', text)).status).toBe(401);
		const signature = { 'X-Signature': signatureOf('no JSON', SECRET) };
		expect(await deliver(url, 'no JSON', { ...text, ...signature })).toEqual({
			status: 400,
			data: { message: 'The body is not JSON, or too deep' },
		});
		expect(await executionsOf(workflow)).toEqual([]);
	});
});
