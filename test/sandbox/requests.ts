import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../sandbox/contract/contract';
import { operations } from './contract-checks';
import { demo, type SandboxFixture } from './fixture';

/** The operations that no client of a buyer asks for. */
const OF_OTHERS = [
	'authorize',
	'requestToken',
	'getCurrentUser',
	'getCurrentUserWorkspaces',
] as const;

/** An operation that a client of a buyer asks for. */
export type BuyerOperationId = Exclude<OperationId, (typeof OF_OTHERS)[number]>;

export const isOfBuyer = (id: OperationId): id is BuyerOperationId =>
	!OF_OTHERS.some((other) => other === id);

export const buyerOperations = operations.flatMap(({ operationId, ...operation }) =>
	isOfBuyer(operationId) ? [{ ...operation, operationId }] : [],
);

/** What is asked for, and the body of a request that has one. */
export type Request = [path: string, body?: object];

/** What a payable can have beside its payee. */
export const payableFields = {
	workspace_id: demo.workspaceId,
	amount: 1999,
	amount_denomination: 'us_cents',
	description: 'Three reels',
	due_date: '2030-01-31T00:00:00Z',
	line_items: [
		{ amount: 1000, description: 'Reels' },
		{ amount: 999, description: 'Licence' },
	],
};

/** For every operation of a buyer a request that will succeed; what it needs is made before. The compiler names one that is missing. */
export const successfulRequests = (
	fixture: SandboxFixture,
	payee_email: string = demo.verifiedVendorEmail,
	newVendor = () => `${randomUUID()}@example.com`,
): Record<BuyerOperationId, () => Request | Promise<Request>> => ({
	getWorkspace: () => [fixture.path()],
	getWallet: () => [fixture.path('/wallet')],
	getDeposits: async () => {
		await fixture.deposit(42);
		return [fixture.path('/wallet/deposit')];
	},
	getPartner: async () => {
		const partner = await fixture.partner(demo.verifiedVendorEmail);
		return [fixture.path(`/partner/${partner?.id ?? ''}`)];
	},
	getFundingInvoicePdfUrl: async () => [`/funding/${(await fixture.invoice()).id}/pdf-url`],
	createPayable: () => ['/payable', { payee_email, ...payableFields }],
	approvePayable: async () => [
		`/payable/${(await fixture.payable({ payee_email })).id}/approve`,
		{},
	],
	createFunding: async () => {
		const { workspace_id, amount, id } = await fixture.approved({ payee_email });
		return ['/funding', { workspace_id, method: 'balance', amount, payable_ids: [id] }];
	},
	linkDeposit: async () => {
		const { id, amount } = await fixture.invoice([await fixture.approved({ payee_email })]);
		return [`/funding/${id}/link-deposit`, { deposit_id: (await fixture.deposit(amount)).id }];
	},
	invitePartners: () => [
		fixture.path('/partner/invite'),
		{
			invites: [{ payee_email: newVendor(), payee_business_name: 'Dora Films' }],
		},
	],
	simulateDeposit: () => [fixture.path('/wallet/deposit'), { amount: 700 }],
	createWebhookSubscription: () => [
		fixture.path('/webhook-subscription'),
		{ url: 'http://localhost:9/events', events: ['payable.paid'] },
	],
});
