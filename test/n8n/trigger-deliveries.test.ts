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
});
