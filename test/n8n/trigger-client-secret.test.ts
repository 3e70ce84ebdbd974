import type { Credential } from '../../tools/n8n';
import { answerWithSecret, deliver, deliverSigned, useTrigger } from './support/trigger';

const { fixture, countSubscriptions, event, itemsOf, listen } = useTrigger();

/** The client gets another secret, and the user enters it in the credential. */
async function changeSecret({ id, name, type }: Credential, clientSecret: string): Promise<void> {
	const { n8n, sandbox, credentialData } = fixture();
	await sandbox.control.setClientSecret(sandbox.clientId, clientSecret);
	const data = { ...credentialData, clientSecret };
	await n8n.client.rest('PATCH', `/credentials/${id}`, { name, type, data });
}

afterEach(async () => {
	const { control, clientId, clientSecret } = fixture().sandbox;
	await control.setClientSecret(clientId, clientSecret);
});

test('a client that gets another secret costs no event and no subscription, also over a restart', async () => {
	const { n8n, createClient } = fixture();
	const secret = 'whsec_of_the_subscription';
	await answerWithSecret(fixture(), secret);
	const credential = await createClient();
	const made = await countSubscriptions();
	const { workflow, url } = await listen(credential);

	await changeSecret(credential, 'the-second-secret');
	expect((await deliver(url, event())).status).toBe(401);
	expect((await deliverSigned(url, event(), secret)).status).toBe(200);
	await n8n.restart();
	expect((await deliverSigned(url, event(), secret)).status).toBe(200);
	expect(await made()).toBe(1);
	expect((await itemsOf(workflow)).map(({ verified }) => verified)).toEqual([true, true]);
});

test('a signing secret that n8n cannot read after a restart has it subscribe anew, and say so once', async () => {
	const { n8n, createClient } = fixture();
	const credential = await createClient();
	await answerWithSecret(fixture(), 'whsec_before');
	const { workflow, url } = await listen(credential);
	const made = await countSubscriptions();
	await changeSecret(credential, 'the-third-secret');
	await n8n.restart();
	await answerWithSecret(fixture(), 'whsec_after');
	for (const secret of ['whsec_before', 'whsec_before', 'whsec_of_nobody']) {
		expect((await deliverSigned(url, event(), secret)).status).toBe(401);
	}
	expect(await made()).toBe(1);
	expect(n8n.log().split('refuses deliveries with 401')).toHaveLength(2);
	expect((await deliverSigned(url, event(), 'whsec_after')).status).toBe(200);
	await n8n.restart();
	expect((await deliverSigned(url, event(), 'whsec_after')).status).toBe(200);
	expect(await made()).toBe(1);
	expect(await itemsOf(workflow)).toHaveLength(2);
});
