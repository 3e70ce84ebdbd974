import type { INode } from 'n8n-workflow';

import type { N8nFunctions } from '../../nodes/PartnerPayments/api/auth/credentials';

/** What a call throws; fails the test when it throws nothing. */
export function thrownBy(call: () => unknown): unknown {
	try {
		call();
	} catch (error) {
		return error;
	}

	throw new Error('Nothing was thrown');
}

/** What a promise is rejected with; fails the test when it is not. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => {
			throw new Error('Nothing was thrown');
		},
		(error: unknown) => error,
	);
}

/** An error as Node throws it. */
export const errorWithCode = (code: string, message = `it failed with ${code}`) =>
	Object.assign(new Error(message), { code });

/** A node to show an error with: n8n replaces messages that contain an error code. */
export const node: INode = {
	id: '1',
	name: 'Pay',
	type: 'n8n-nodes-partner-payments.partnerPayments',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A session of an account, in what a test has of n8n. */
export const sessionIn = (n8n: object, credentials: Record<string, string | object> = {}) => ({
	n8n: n8n as N8nFunctions,
	credentialType: 'partnerPaymentsApi' as const,
	credentials,
	root: 'https://api.example.com/v1',
});
