import { networkInterfaces } from 'node:os';
import axios from 'axios';

import { payTwice } from '../../tools/demonstration';
import { type RunningEnvironment, startEnvironment } from '../../tools/environment';
import { chain, nodeError, START } from '../../tools/n8n';
import { N8nClient } from '../../tools/n8n/client';
import { readLedger } from '../../tools/payouts/ledgerStore';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { useResource } from '../n8n/support/resource';

/** The variables of somebody whose own n8n is strict, and is another one. */
const VARIABLES = {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SAMESITE_COOKIE: 'strict',
	N8N_LISTEN_ADDRESS: '0.0.0.0',
	N8N_HOST: '0.0.0.0',
	N8N_PATH: '/elsewhere/',
	DB_TYPE: 'postgresdb',
	EXECUTIONS_MODE: 'queue',
	N8N_USER_FOLDER: '/nowhere',
};

const environment = useResource(
	async (): Promise<RunningEnvironment> => {
		Object.assign(process.env, VARIABLES);
		return await startEnvironment({ n8n: { keepsHardening: true } });
	},
	async ({ stop }) => {
		for (const name of Object.keys(VARIABLES)) {
			Reflect.deleteProperty(process.env, name);
		}

		await stop();
	},
);

test("n8n and the sandbox answer at this machine's own addresses only", async () => {
	const { n8n, sandbox } = environment();
	// A server that listens everywhere answers at every address of the loopback network, too.
	const addresses = Object.values(networkInterfaces())
		.flatMap((found) => found ?? [])
		.filter(({ internal, family }) => !internal && family === 'IPv4')
		.map(({ address }) => address);

	const statusAt = async (url: string, hostname: string): Promise<number | string> => {
		const { port, pathname } = new URL(url);
		const options = { proxy: false, timeout: 5_000, validateStatus: () => true } as const;

		return await axios.get(`http://${hostname}:${port}${pathname}`, options).then(
			({ status }) => status,
			() => 'nothing',
		);
	};

	for (const url of [n8n.url, sandbox.apiUrl, sandbox.authUrl]) {
		expect([url, await statusAt(url, 'localhost')]).toEqual([url, expect.any(Number)]);
		for (const hostname of ['127.0.0.2', ...addresses]) {
			expect([url, hostname, await statusAt(url, hostname)]).toEqual([url, hostname, 'nothing']);
		}
	}
});

test('the password of its owner is made anew each time', () => {
	const { n8n } = environment();

	const other = new N8nClient(n8n.url).session.owner.password;

	expect(n8n.owner.password).toMatch(/^[\w-]{20,}$/);
	expect(other).not.toBe(n8n.owner.password);
});

test("the user's own settings that make n8n stricter hold, and the sandbox is within reach", async () => {
	const { n8n, sandbox } = environment();

	const login = await axios.post(
		`${n8n.url}/rest/login`,
		{ emailOrLdapLoginId: n8n.owner.email, password: n8n.owner.password },
		{ proxy: false },
	);

	expect(login.headers['set-cookie']).toEqual([expect.stringContaining('SameSite=Strict')]);

	const inside = `http://127.0.0.1:${new URL(n8n.url).port}/healthz`;
	const node = (name: string, type: string, parameters: object) => ({
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: { ...parameters },
	});

	const { id } = await n8n.createWorkflow(
		chain([node(START, 'manualTrigger', {}), node('Inside', 'httpRequest', { url: inside })]),
	);

	expect(JSON.stringify(nodeError(await n8n.runManually(id), 'Inside'))).toMatch(/blocked/i);

	const data = sandboxCredentialData(sandbox);
	const client = await n8n.createCredential('Sandbox', 'partnerPaymentsApi', data);

	const { first, second } = await payTwice(environment(), [client]);

	expect(first).toMatchObject({ fundings: 1, payout: { status: 'funded' } });
	expect(second).toMatchObject({ fundings: 0, payout: { status: 'duplicate' } });
	expect((await readLedger(n8n)).rows).toMatchObject([
		{ reference: 'INV-2001', state: 'funded', payable_id: first.payout['payable_id'] },
	]);
});
