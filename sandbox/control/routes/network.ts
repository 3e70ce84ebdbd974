import type { components } from '../../../contract/service';
import type { AllocationView } from '../../domain/allocations';
import type { Deposit } from '../../domain/deposits';
import type { Funding, SecondFunding } from '../../domain/fundings';
import type { Ledger } from '../../domain/ledger';
import type { Mail } from '../../domain/mail';
import type { Partner } from '../../domain/partners';
import type { Payable } from '../../domain/payables';
import type { SettlementMode } from '../../domain/settlement';
import {
	subscriptionAnswerNames,
	type SubscriptionAnswer,
} from '../../domain/subscription-answers';
import type { SubscriptionView } from '../../domain/subscriptions';
import type { VendorView, WorkspaceView } from '../../domain/views';
import { seedSchema, vendorStatus } from '../../seed/schema';
import { email, minorUnits, object, text } from '../../shared/json-schema';
import { reply, type Route } from '../route';

/** Everything that the control API shows of the network. Amounts are minor units. */
export interface SandboxState {
	workspaces: WorkspaceView[];
	vendors: VendorView[];
	partners: Partner[];
	payables: Payable[];
	fundings: Funding[];
	deposits: Deposit[];
	subscriptions: SubscriptionView[];
}

/** A route that answers one list of the state. */
const list = <const Key extends keyof SandboxState>(key: Key, summary: string) =>
	({
		method: 'GET',
		path: `/${key}`,
		summary,
		response: reply<Pick<SandboxState, Key>>(),
		result: key,
	}) as const;

const vendorBody = object({ vendor: text }, ['vendor']);
const vendorReply = reply<{ vendor: VendorView }>();

/** Routes that show and change the network: its records, vendors and money. */
export const networkRoutes = {
	seed: {
		method: 'POST',
		path: '/seed',
		summary: 'add buyers, clients, workspaces, users and vendors',
		body: seedSchema,
	},
	reset: {
		method: 'POST',
		path: '/reset',
		summary: 'start over, with the given seed or the demonstration network',
		body: object({ seed: seedSchema }),
		arguments: ['seed'],
	},
	state: {
		method: 'GET',
		path: '/state',
		summary: 'everything below in one answer',
		response: reply<SandboxState>(),
	},
	workspaces: list('workspaces', 'workspaces with buyer, balance and account'),
	vendors: list('vendors', 'vendors of the network with the balance of their wallets'),
	partners: list('partners', 'vendors as the workspaces see them'),
	payables: list('payables', 'payables with their states'),
	fundings: list('fundings', 'fundings with their payables and deposits'),
	deposits: list('deposits', 'deposits, linked or not'),
	subscriptions: list('subscriptions', 'webhook subscriptions, without their secrets'),
	allocations: {
		method: 'GET',
		path: '/allocations',
		summary: 'each payable of each funding, and whether its vendor has been paid for it',
		response: reply<{ allocations: AllocationView[] }>(),
		result: 'allocations',
	},
	ledger: {
		method: 'GET',
		path: '/ledger',
		summary: 'accounts, entries and their sum, which is zero',
		response: reply<Ledger>(),
	},
	outbox: {
		method: 'GET',
		path: '/outbox',
		summary: 'mails that would have been sent',
		response: reply<{ mails: Mail[] }>(),
		result: 'mails',
	},
	events: {
		method: 'GET',
		path: '/events',
		summary: 'events that subscribers can hear of, in order',
		response: reply<{ events: components['schemas']['Event'][] }>(),
		result: 'events',
	},
	addVendor: {
		method: 'POST',
		path: '/vendors',
		summary: 'enter a vendor into the network, attached to nobody',
		body: object({ email, businessName: text, status: vendorStatus, serviceId: text }, ['email']),
		response: vendorReply,
		result: 'vendor',
	},
	verifyVendor: {
		method: 'POST',
		path: '/vendors/verify',
		summary: 'verify a vendor (address or network id); waiting payables settle',
		body: vendorBody,
		response: vendorReply,
		arguments: ['vendor'],
		result: 'vendor',
	},
	rejectVendor: {
		method: 'POST',
		path: '/vendors/reject',
		summary: 'reject a vendor (address or network id)',
		body: vendorBody,
		response: vendorReply,
		arguments: ['vendor'],
		result: 'vendor',
	},
	setTaxForm: {
		method: 'POST',
		path: '/vendors/tax-form',
		summary: "a vendor's tax form expires (expired) or is renewed (valid)",
		body: object({ vendor: text, status: { type: 'string', enum: ['valid', 'expired'] } }, [
			'vendor',
			'status',
		]),
		response: vendorReply,
		arguments: ['vendor', 'status'],
		result: 'vendor',
	},
	acceptInvitation: {
		method: 'POST',
		path: '/invitations/accept',
		summary: 'a vendor accepts an invitation, by mail or by the link',
		body: object({ workspaceId: text, email, businessName: text }, ['workspaceId', 'email']),
		arguments: ['workspaceId', 'email', 'businessName'],
	},
	deposit: {
		method: 'POST',
		path: '/deposits',
		summary: 'a bank transfer arrives (also in production mode)',
		body: object({ workspaceId: text, amount: minorUnits }, ['workspaceId', 'amount']),
		response: reply<{ deposit: Deposit }>(),
		arguments: ['workspaceId', 'amount'],
		result: 'deposit',
	},
	setSettlement: {
		method: 'POST',
		path: '/settlement',
		summary: 'keep payables in will_pay (manual), or pay them at once (automatic)',
		body: object({ mode: { type: 'string', enum: ['automatic', 'manual'] } }, ['mode']),
		response: reply<{ mode: SettlementMode }>(),
		arguments: ['mode'],
	},
	setSecondFunding: {
		method: 'POST',
		path: '/second-funding',
		summary: 'refuse to fund a payable again, or accept it: the money moves again',
		body: object({ mode: { type: 'string', enum: ['refuse', 'accept'] } }, ['mode']),
		response: reply<{ mode: SecondFunding }>(),
		arguments: ['mode'],
	},
	setSubscriptionAnswer: {
		method: 'POST',
		path: '/subscription-answer',
		summary: 'where the answer to a webhook subscription holds the secret, if anywhere',
		body: object({ shape: { type: 'string', enum: subscriptionAnswerNames } }, ['shape']),
		response: reply<{ shape: SubscriptionAnswer }>(),
		arguments: ['shape'],
	},
} as const satisfies Record<string, Route>;
