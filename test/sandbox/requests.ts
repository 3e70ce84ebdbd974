import { randomUUID } from 'node:crypto';
import { demo, type SandboxFixture } from './fixture';

/** What is asked for, and the body of a request that has one. */
export type Request = [path: string, body?: object];

/** For every operation of a buyer a request that will succeed; what it needs is made before. */
export const successfulRequests = (
	fixture: SandboxFixture,
): Record<string, () => Request | Promise<Request>> => ({
	getWorkspace: () => [fixture.path()],
	getWallet: () => [fixture.path('/wallet')],
	getDeposits: () => [fixture.path('/wallet/deposit')],
	getPartner: async () => {
		const partner = await fixture.partner(demo.verifiedVendorEmail);
		return [fixture.path(`/partner/${partner?.id ?? ''}`)];
	},
	getFundingInvoicePdfUrl: async () => [`/funding/${(await fixture.invoice()).id}/pdf-url`],
	createPayable: () => {
		const { workspaceId: workspace_id, verifiedVendorEmail: payee_email } = demo;
		return ['/payable', { workspace_id, payee_email, amount: 1000 }];
	},
	approvePayable: async () => [`/payable/${(await fixture.payable()).id}/approve`, {}],
	createFunding: async () => {
		const { workspace_id, amount, id } = await fixture.approved();
		return ['/funding', { workspace_id, method: 'balance', amount, payable_ids: [id] }];
	},
	linkDeposit: async () => {
		const { id, amount } = await fixture.invoice();
		return [`/funding/${id}/link-deposit`, { deposit_id: (await fixture.deposit(amount)).id }];
	},
	invitePartners: () => [
		fixture.path('/partner/invite'),
		{ invites: [{ payee_email: `${randomUUID()}@example.com` }] },
	],
	simulateDeposit: () => [fixture.path('/wallet/deposit'), { amount: 700 }],
	createWebhookSubscription: () => [
		fixture.path('/webhook-subscription'),
		{ url: 'http://localhost:9/events', events: ['payable.paid'] },
	],
});
