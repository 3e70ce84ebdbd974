import type { INodeParameters } from 'n8n-workflow';

import type { StoredCredentials } from './credentials';
import { execute, type Outcome, type Subject } from './engine';
import type { ScriptedService } from './scriptedService';

export const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';
export const OTHER_WORKSPACE = '1b671a64-40d5-491e-99b0-da01ff1f3341';
export const SECRET = 'client-secret/"value"';

/** A workspace as the field stores it. */
export const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

let accounts = 0;

/** The values of a credential for an account that no other run uses. */
export function account(url: string, changes: StoredCredentials = {}): StoredCredentials {
	accounts += 1;
	return {
		environment: 'sandbox',
		apiBaseUrl: `${url}/v1`,
		authBaseUrl: url,
		clientId: `client-${accounts}`,
		clientSecret: SECRET,
		audience: 'https://api.example.com',
		...changes,
	};
}

/** What a test changes of a run. */
export type Changes = Partial<Omit<Subject, 'credentials'>> & { credentials?: StoredCredentials };

/** Runs an operation, written as `payable.create`, with client credentials against a service. */
export async function run(
	service: ScriptedService,
	operation: string,
	parameters: INodeParameters,
	{ credentials = {}, ...changes }: Changes = {},
): Promise<Outcome> {
	const [resource = '', name = ''] = operation.split('.');
	return await execute({
		parameters: {
			authentication: 'clientCredentials',
			resource,
			operation: name,
			...parameters,
		},
		credentials: account(service.url, credentials),
		...changes,
	});
}

/** A payable for Ana over 19.99, whose fields tests change. */
export const payable = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: byId(WORKSPACE),
	payeeEmail: 'ana@example.com',
	amount: '19.99',
	amountUnit: 'major',
	...changes,
});

/** A funding of the payable p1 over 19.99. */
export const funding = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: byId(WORKSPACE),
	method: 'balance',
	payableIds: 'p1',
	amount: '1999',
	amountUnit: 'minor',
	...changes,
});
