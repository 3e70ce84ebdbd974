import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { ROOT } from './n8n/paths';
import { listTests } from './testTitles';

/** A test in a real n8n that drives an endpoint, and what of the package uses the endpoint there. */
export interface CoveringTest {
	/** An operation, as `resource.operation`, or a credential. */
	usedBy: string;
	/** The path from the root of the repository. */
	file: string;
	/** The full title, with those of the `describe` blocks around it. */
	title: string;
}

/** An endpoint of the contract with the tests that drive it. */
export interface EndpointCoverage {
	endpoint: string;
	call: string;
	tests: CoveringTest[];
}

interface Contract {
	paths: Record<string, Record<string, { operationId?: string }>>;
}

/** The test that every operation has. */
const operation = (usedBy: string): CoveringTest => ({
	usedBy,
	file: 'test/n8n/operations.test.ts',
	title: `${usedBy} sends exactly its request, and puts out what the service answers`,
});

/** The tests of each endpoint, by its operation id in the contract. */
const COVERING_TESTS: Record<string, CoveringTest[]> = {
	requestToken: [
		{
			usedBy: 'credential partnerPaymentsApi',
			file: 'test/n8n/token.test.ts',
			title:
				'one token serves 200 payables and 5 runs at the same time, and one more after it expired',
		},
	],
	authorize: [
		{
			usedBy: 'credential partnerPaymentsOAuth2Api',
			file: 'test/n8n/connect.test.ts',
			title:
				'connecting an account a user gets from an empty form to a workflow that reads their account',
		},
	],
	getCurrentUser: [operation('user.get')],
	getCurrentUserWorkspaces: [operation('user.getWorkspaces')],
	getWorkspace: [operation('workspace.get'), operation('workspace.getInviteLink')],
	getPartner: [operation('partner.get')],
	invitePartners: [operation('partner.invite')],
	createPayable: [operation('payable.create')],
	approvePayable: [operation('payable.approve')],
	createFunding: [operation('funding.create')],
	getFundingInvoicePdfUrl: [operation('funding.getInvoicePdf')],
	linkDeposit: [operation('funding.linkDeposit')],
	getWallet: [operation('wallet.get')],
	getDeposits: [
		operation('deposit.getAll'),
		{
			usedBy: 'node partnerPaymentsDepositTrigger',
			file: 'test/n8n/deposit-trigger.test.ts',
			title:
				'a poll starts one execution with the deposits that have come, and none with those before',
		},
	],
	simulateDeposit: [operation('deposit.simulate')],
	createWebhookSubscription: [operation('webhookSubscription.create')],
};

/** Every endpoint of the contract with its tests. */
export function contractCoverage(): EndpointCoverage[] {
	const contract = parse(readFileSync(join(ROOT, 'contract/openapi.yaml'), 'utf8')) as Contract;
	return Object.entries(contract.paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, { operationId: endpoint }]) => {
			if (endpoint === undefined) return [];
			const call = `${method.toUpperCase()} ${path}`;
			return { endpoint, call, tests: COVERING_TESTS[endpoint] ?? [] };
		}),
	);
}

/** The named tests that do not exist. */
export function missingTests(coverage: EndpointCoverage[]): CoveringTest[] {
	const named = coverage.flatMap(({ tests }) => tests);
	const existing = listTests([...new Set(named.map(({ file }) => file))]);
	return named.filter(
		({ file, title }) => !existing.get(file)?.some(({ fullName }) => fullName === title),
	);
}
