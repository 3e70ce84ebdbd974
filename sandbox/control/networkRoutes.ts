import { allAllocations } from '../domain/allocations';
import { allDeposits, receiveDeposit, type Deposit } from '../domain/deposits';
import { readFundings, type Funding } from '../domain/fundings';
import { readLedger } from '../domain/ledger';
import { readOutbox } from '../domain/mail';
import { allPartners, type Partner } from '../domain/partners';
import { allPayables, type Payable } from '../domain/payables';
import { allSubscriptions, type SubscriptionView } from '../domain/subscriptions';
import { withdraw } from '../domain/withdrawals';
import {
	acceptInvitation,
	changeTaxForm,
	requireVendor,
	reviewVendor,
} from '../domain/vendorLifecycle';
import { registerVendor, type VendorRow } from '../domain/vendors';
import {
	vendorViews,
	workspaceViews,
	type VendorView,
	type WorkspaceView,
} from '../domain/networkViews';
import { requireWorkspace } from '../domain/workspaces';
import { readEvents } from '../network/events';
import { applySeed } from '../seed/apply';
import { defaultSeed } from '../seed/demo';
import { seedSchema, vendorStatus } from '../seed/schema';
import { email, minorUnits, object, text } from '../shared/jsonSchema';
import { get, post, type ControlContext } from './routeTypes';

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

const vendorBody = object({ vendor: text }, ['vendor']);
const vendorArgs = { args: ['vendor'], result: 'vendor' } as const;

/** Routes that show and change the network: its records, vendors and money. */
export const networkRoutes = (context: ControlContext) => ({
	...seedRoutes(context),
	...recordRoutes(context),
	...changeRoutes(context),
});

/** What a network begins with. */
function seedRoutes(context: ControlContext) {
	const { network, background } = context;
	const { store } = network;
	return {
		seed: post(
			'/seed',
			'Add buyers, clients, workspaces, users and vendors',
			seedSchema,
			(seed) => {
				applySeed(network, seed);
			},
		),
		reset: post(
			'/reset',
			'Start over, with the given seed or the demonstration network',
			object({ seed: seedSchema }),
			async ({ seed = defaultSeed }) => {
				await background.idle();
				store.transaction(() => {
					store.clear();
					context.deliveries.reset();
					context.faults.clear();
					context.log.clear();
					context.rateLimit.clear();
					network.clock.reset();
					network.settings.reset();
					applySeed(network, seed);
				});
			},
			{ args: ['seed'] },
		),
	};
}

/** What there is in the network. */
function recordRoutes({ network }: ControlContext) {
	const read: { [Key in keyof SandboxState]: () => SandboxState[Key] } = {
		workspaces: () => workspaceViews(network),
		vendors: () => vendorViews(network),
		partners: () => allPartners(network),
		payables: () => allPayables(network),
		fundings: () => readFundings(network),
		deposits: () => allDeposits(network),
		subscriptions: () => allSubscriptions(network),
	};

	/** A route that answers one list of the state. */
	const list = <const Key extends keyof SandboxState>(key: Key, summary: string) =>
		get(`/${key}`, summary, () => ({ [key]: read[key]() }) as Pick<SandboxState, Key>, {
			result: key,
		});

	return {
		state: get('/state', 'Everything below in one answer', (): SandboxState => ({
			workspaces: read.workspaces(),
			vendors: read.vendors(),
			partners: read.partners(),
			payables: read.payables(),
			fundings: read.fundings(),
			deposits: read.deposits(),
			subscriptions: read.subscriptions(),
		})),
		workspaces: list('workspaces', 'Workspaces with buyer, balance and account'),
		vendors: list('vendors', 'Vendors of the network with the balance of their wallets'),
		partners: list('partners', 'Vendors as the workspaces see them'),
		payables: list('payables', 'Payables with their states'),
		fundings: list('fundings', 'Fundings with their payables and deposits'),
		deposits: list('deposits', 'Deposits, linked or not'),
		subscriptions: list('subscriptions', 'Webhook subscriptions, without their secrets'),
		allocations: get(
			'/allocations',
			'Each payable of each funding, and whether its vendor has been paid for it',
			() => ({ allocations: allAllocations(network) }),
			{ result: 'allocations' },
		),
		ledger: get('/ledger', 'Accounts, entries and their sum, which is zero', () =>
			readLedger(network),
		),
		outbox: get(
			'/outbox',
			'Mails that would have been sent',
			() => ({ mails: readOutbox(network) }),
			{
				result: 'mails',
			},
		),
		events: get(
			'/events',
			'Events that subscribers can receive, in order',
			() => ({ events: readEvents(network) }),
			{ result: 'events' },
		),
	};
}

/** What others than the buyers do: vendors, the network, and the bank. */
function changeRoutes({ network, background }: ControlContext) {
	const { store } = network;
	/** Changes a vendor, and waits until everything has settled that can settle now. */
	const changeVendor = async (change: () => VendorRow) => {
		const { id } = store.transaction(change);
		await background.idle();
		return { vendor: vendorViews(network, id)[0] };
	};

	return {
		addVendor: post(
			'/vendors',
			'Enter a vendor into the network, in no workspace',
			object({ email, businessName: text, status: vendorStatus, serviceId: text }, ['email']),
			async (vendor) => await changeVendor(() => registerVendor(network, vendor)),
			{ result: 'vendor' },
		),
		verifyVendor: post(
			'/vendors/verify',
			'Verify a vendor',
			vendorBody,
			async ({ vendor }) => await changeVendor(() => reviewVendor(network, vendor, 'verified')),
			vendorArgs,
		),
		rejectVendor: post(
			'/vendors/reject',
			'Reject a vendor',
			vendorBody,
			async ({ vendor }) => await changeVendor(() => reviewVendor(network, vendor, 'rejected')),
			vendorArgs,
		),
		setTaxForm: post(
			'/vendors/tax-form',
			"Let a vendor's tax form expire, or renew it",
			object({ vendor: text, status: { type: 'string', enum: ['valid', 'expired'] } }, [
				'vendor',
				'status',
			]),
			async ({ vendor, status }) =>
				await changeVendor(() => changeTaxForm(network, vendor, status)),
			{ args: ['vendor', 'status'], result: 'vendor' },
		),
		withdraw: post(
			'/vendors/withdraw',
			'Let a vendor take money out of the wallet',
			object({ vendor: text, amount: minorUnits }, ['vendor', 'amount']),
			async ({ vendor, amount }) =>
				await changeVendor(() => {
					const found = requireVendor(network, vendor);
					withdraw(network, found, amount);
					return found;
				}),
			{ args: ['vendor', 'amount'], result: 'vendor' },
		),
		acceptInvitation: post(
			'/invitations/accept',
			'Accept an invitation for a vendor',
			object({ workspaceId: text, email, businessName: text }, ['workspaceId', 'email']),
			async ({ workspaceId, email: address, businessName }) => {
				store.transaction(() => {
					const { id } = requireWorkspace(network, workspaceId);
					acceptInvitation(network, id, address, businessName ?? null);
				});

				await background.idle();
			},
			{ args: ['workspaceId', 'email', 'businessName'] },
		),
		deposit: post(
			'/deposits',
			'Let a bank transfer arrive',
			object({ workspaceId: text, amount: minorUnits }, ['workspaceId', 'amount']),
			({ workspaceId, amount }) =>
				store.transaction(() => {
					const { id } = requireWorkspace(network, workspaceId);
					return { deposit: receiveDeposit(network, id, amount) };
				}),
			{ args: ['workspaceId', 'amount'], result: 'deposit' },
		),
	};
}
