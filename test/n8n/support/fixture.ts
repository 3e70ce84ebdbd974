import { type RunningEnvironment, startEnvironment } from '../../../tools/environment';
import { type Credential, type Host, NEWEST_HOST } from '../../../tools/n8n';
import {
	applicationCredentialData,
	sandboxCredentialData,
} from '../../../tools/sandboxCredentialData';
import { useResource } from './resource';
import { findInClear } from './secrets';

/** A sandbox and a real n8n with the packed package, and what n8n needs to use the sandbox. */
export interface Fixture extends RunningEnvironment {
	/** The data of a client-credentials credential that works. */
	credentialData: Record<string, unknown>;
	/** Stores a client-credentials credential with that data, and the changes. */
	createClient: (changes?: object, name?: string) => Promise<Credential>;
	/** Stores an OAuth2 credential that is connected to the sandbox's user, with changes. */
	createUser: (changes?: object, name?: string) => Promise<Credential>;
	/** What the sandbox has written since it was started, when it names the demonstration's secrets. */
	sandboxLog: () => string;
}

/** So high that only the tests of the limit meet it. */
const REQUESTS_PER_MINUTE = 100_000;

/**
 * Starts both before the tests of a file and stops them after, when no secret may have been left
 * anywhere in clear.
 *
 * @param env returns more environment variables for n8n, when it is about to start
 * @param host which n8n
 * @returns a function that returns them to a test
 */
export const useFixture = (
	env: () => Record<string, string> = () => ({}),
	host: Host = NEWEST_HOST,
): (() => Fixture) =>
	useResource(
		async () => {
			let sandboxOutput = '';
			const environment = await startEnvironment({
				sandbox: {
					requestsPerMinute: REQUESTS_PER_MINUTE,
					onOutput: (text) => (sandboxOutput += text),
				},
				n8n: { env: env(), host },
			});
			const { n8n, sandbox } = environment;
			const announcement = sandboxOutput.length;
			const credentialData = sandboxCredentialData(sandbox);
			return {
				...environment,
				credentialData,
				createClient: async (changes = {}, name = 'Client') =>
					await n8n.createCredential(name, 'partnerPaymentsApi', { ...credentialData, ...changes }),
				createUser: async (changes = {}, name = 'User') =>
					await n8n.createCredential(name, 'partnerPaymentsOAuth2Api', {
						...applicationCredentialData(sandbox),
						oauthTokenData: {
							access_token: await sandbox.control.userToken(),
							token_type: 'Bearer',
						},
						...changes,
					}),
				sandboxLog: () => sandboxOutput.slice(announcement),
			};
		},
		async (fixture) => {
			const found = await findInClear(fixture).finally(fixture.stop);
			expect(found).toEqual([]);
		},
	);
