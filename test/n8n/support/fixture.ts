import { randomUUID } from 'node:crypto';

import { N8n, OLDEST_HOST, packPackage, type StartOptions } from '../../../tools/n8n';
import {
	addLedgerTable,
	projectLedgerFields,
	sharedLedgerFields,
} from '../../../tools/payouts/ledgerStore';
import {
	applicationCredentialData,
	sandboxCredentialData,
} from '../../../tools/sandboxCredentialData';
import { connectAs } from '../../sandbox/visitor';
import { startSandbox } from '../../support/sandbox';
import { useResource } from './resource';
import { sharedN8n } from './shared';

/** A sandbox of the test file's own and a real n8n with the packed package, and how n8n uses the sandbox. */
export type Fixture = Awaited<ReturnType<typeof open>>;

/** So high that only the tests of the limit meet it. */
const REQUESTS_PER_MINUTE = 100_000;

/** The shared n8n may be installed first. */
const START_TIMEOUT_MS = 15 * 60_000;

/** The n8n that all test files share, with a sandbox of this file's own. */
export const useFixture = (): (() => Fixture) => useN8n(sharedN8n);

/**
 * An n8n of this file's own, for tests that restart it, kill it, or need it set up otherwise.
 *
 * @param options returns how n8n is started, when it is about to start
 */
export const useOwnFixture = (options?: () => Omit<StartOptions, 'tarball'>): (() => Fixture) =>
	useFixtureOn(useOwnN8n(options));

/** An n8n of this file's own, without a sandbox. */
export const useOwnN8n = (options?: () => Omit<StartOptions, 'tarball'>): (() => N8n) =>
	useResource(
		async () => {
			const n8n = await N8n.start({ ...options?.(), tarball: packPackage() });
			globalThis.n8nLog = () => n8n.process.log();

			return n8n;
		},
		async (n8n) => {
			await n8n.stop();
		},
		START_TIMEOUT_MS,
	);

/** Another sandbox for an n8n of this file. */
export const useFixtureOn = (n8n: () => N8n): (() => Fixture) =>
	useN8n(async () => await Promise.resolve(n8n()));

async function open(n8n: N8n) {
	globalThis.n8nLog = () => n8n.process.log();
	const sandbox = await startSandbox({ requestsPerMinute: REQUESTS_PER_MINUTE });
	// Test files share an n8n, and its project: each has a ledger of its own there.
	const ledgerTable = `Ledger ${randomUUID()}`;
	const tableId = await addLedgerTable(n8n, ledgerTable);
	const isOldest = n8n.process.host === OLDEST_HOST;
	const credentialData: Record<string, unknown> = {
		...sandboxCredentialData(sandbox),
		...projectLedgerFields(isOldest ? tableId : ledgerTable),
	};

	return {
		n8n,
		sandbox,
		/** The data of a client-credentials credential that works. */
		credentialData,
		/** The name of the ledger's table, which is the file's own. */
		ledgerTable,
		/** The fields of a credential that shares that table by n8n's public API. */
		sharedLedger: sharedLedgerFields(n8n, ledgerTable),
		/** Stores a client-credentials credential with that data, and the changes. */
		createClient: async (changes: object = {}, name = 'Client') =>
			await n8n.createCredential(name, 'partnerPaymentsApi', { ...credentialData, ...changes }),
		/** Stores an OAuth2 credential that is connected to the sandbox's user, with changes. */
		createUser: async (changes: object = {}, name = 'User') =>
			await n8n.createCredential(name, 'partnerPaymentsOAuth2Api', {
				...applicationCredentialData(sandbox),
				...projectLedgerFields(isOldest ? tableId : ledgerTable),
				oauthTokenData: {
					access_token: await sandbox.control.userToken(),
					token_type: 'Bearer',
				},
				...changes,
			}),
		/** Stores an OAuth2 credential, and connects the user as a browser does. */
		connectUser: async (name: string) => {
			await sandbox.control.addRedirectUri(n8n.callbackUrl);
			const data = {
				...applicationCredentialData(sandbox),
				...projectLedgerFields(isOldest ? tableId : ledgerTable),
			};

			const credential = await n8n.createCredential(name, 'partnerPaymentsOAuth2Api', data);
			const url = await n8n.authorizationUrl(credential);
			await n8n.finishAuthorization(await connectAs(sandbox, sandbox.userEmail, 'allow', url));

			return credential;
		},
	};
}

const useN8n = (getN8n: () => Promise<N8n>): (() => Fixture) =>
	useResource(
		async () => await open(await getN8n()),
		async ({ sandbox }) => {
			await sandbox.stop();
		},
		START_TIMEOUT_MS,
	);
