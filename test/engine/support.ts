import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { StoredCredentials } from './credentials';
import type { ExecutionOptions, ExecutionResult } from './engine';
import { ScriptedService, type Received, type Script } from './scriptedService';

export const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';
export const OTHER_WORKSPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';
export const SECRET = 'client-secret/"value"';

export const { execute, tablesOf, waitedMs } = loadEngine();

/** A workspace as the field stores it. */
export const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

/** A payee as the field stores it. */
export const byEmail = (value: string): INodeParameters => ({ __rl: true, mode: 'email', value });

/** The values of a credential for an account that no other execution uses. */
export function account(url: string, changes: StoredCredentials = {}): StoredCredentials {
	return {
		environment: 'sandbox',
		apiBaseUrl: `${url}/v1`,
		authBaseUrl: url,
		clientId: `client-${randomUUID()}`,
		clientSecret: SECRET,
		audience: 'https://api.example.com',
		...changes,
	};
}

/** What a test changes of an execution. */
export type Changes = Partial<Omit<ExecutionOptions, 'credentials'>> & {
	credentials?: StoredCredentials;
};

/** A scripted service, and executions against it. */
class TestedService extends ScriptedService {
	/** Executes an operation, written as `payable.create`, with client credentials. */
	async execute(
		operation: string,
		parameters: INodeParameters,
		{ credentials = {}, ...changes }: Changes = {},
	): Promise<ExecutionResult> {
		const [resource = '', name = ''] = operation.split('.');
		const common = { authentication: 'clientCredentials', resource, operation: name };

		return await execute({
			parameters: { ...common, ...parameters },
			credentials: account(this.url, credentials),
			...changes,
		});
	}
}

/** A scripted service for the tests of a file, which answers each test with nothing at first. */
export function startScriptedService(host?: string): TestedService {
	const service = new TestedService(host);

	beforeAll(async () => {
		await service.start();
	});

	beforeEach(() => {
		service.useScript(() => ({ body: {} }));
	});

	afterAll(async () => {
		await service.stop();
	});

	return service;
}

/** What of requests matters to the service: method, URL and body, where there is one. */
export const sent = (requests: Received[]): unknown[] =>
	requests.map(({ method, url, body }) =>
		body === undefined ? [method, url] : [method, url, body],
	);

export const jsonOf = (items: Array<{ json: IDataObject }>): IDataObject[] =>
	items.map(({ json }) => json);

/** A payable for Ana over 19.99, whose fields tests change. */
export const payable = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: byId(WORKSPACE),
	payee: byEmail('ana@example.com'),
	amount: '19.99',
	...changes,
});

/** What is sent for such a payable. */
export const PAYABLE_BODY = {
	workspace_id: WORKSPACE,
	payee_email: 'ana@example.com',
	amount: 1999,
	amount_denomination: 'us_cents',
	send_invite: false,
};

/** A funding of the payable p1 over 19.99. */
export const funding = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: byId(WORKSPACE),
	method: 'balance',
	payableIds: 'p1',
	amount: '19.99',
	...changes,
});

/** What is sent for such a funding. */
export const FUNDING_BODY = {
	workspace_id: WORKSPACE,
	method: 'balance',
	amount: 1999,
	amount_denomination: 'us_cents',
	payable_ids: ['p1'],
};

/** A payable whose amount each item names. */
export const AMOUNT_OF_ITEM = payable({ amount: '={{ $json.amount }}' });

/** Items for it, the second one with more decimals than there are cents. */
export const ONE_WRONG_AMOUNT = [{ amount: '1' }, { amount: '1.005' }, { amount: '3' }];

/** Creates payables whose IDs tell their amounts: p100, p300. */
export const payableNamedByAmount: Script = ({ body }) => ({
	body: { id: `p${(body as { amount: number }).amount}` },
});
