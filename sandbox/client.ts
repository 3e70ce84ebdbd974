import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import type { components } from '../contract/service';
import type { RefreshTokens } from './auth/identity-provider';
import type { VendorView, WorkspaceView } from './domain/views';
import { deliveryControl, type DeliveryControl } from './deliveries/client';
import type { ArmedDeliveryFault, DeliveryFault } from './deliveries/faults';
import type { LoggedAttempt } from './deliveries/attempt-log';
import type { DeliveryOptions } from './deliveries/options';
import type { DeliveryView } from './deliveries/views';
import type { LedgerEntry } from './domain/ledger';
import type { Mail } from './domain/mail';
import type { SettlementMode } from './domain/settlement';
import type { SubscriptionView } from './domain/subscriptions';
import type { VendorStatus } from './domain/vendors';
import type { ArmedFault, Fault } from './http/faults';
import type { AccountUse, Rate } from './http/rate-limit';
import type { LoggedRequest } from './http/request-log';
import type { Seed } from './seed/schema';
import type { Ready } from './server';

export type { AccountUse, ArmedFault, Fault, LedgerEntry, LoggedRequest, Mail, Ready, Seed };
export type { ArmedDeliveryFault, DeliveryFault, DeliveryOptions, DeliveryView, LoggedAttempt };
export type { SubscriptionView, VendorView, WorkspaceView };

type Schemas = components['schemas'];
/** A record of the service with everything the sandbox tells about it. */
export type Partner = Required<Omit<Schemas['Partner'], 'service_id'>> & { service_id?: string };
export type Payable = Required<Schemas['Payable']>;
export type Funding = Required<Schemas['Funding']>;
export type Deposit = Required<Schemas['Deposit']>;
export type Event = Schemas['Event'];

/** How to start a sandbox; the defaults are those of the command line, on any free ports. */
export interface SandboxOptions {
	port?: number;
	authPort?: number;
	/** File that keeps the state over a restart. */
	data?: string;
	production?: boolean;
	strictJson?: boolean;
	requestsPerMinute?: number;
	/** How long the minute of the limit is, in whole seconds. */
	rateWindowSeconds?: number;
	/** Gets the sandbox's output, piece by piece. */
	onOutput?: (text: string) => void;
}

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

/** The ledger; `sum` is zero. */
export interface Ledger {
	accounts: { account: string; balance: number }[];
	entries: LedgerEntry[];
	sum: number;
}

/** The control API. Every method throws axios' error when the sandbox refuses. */
export interface Control extends DeliveryControl {
	/** Adds to the network. */
	seed: (seed: Seed) => Promise<void>;
	/** Begins anew with the seed, or the demonstration network; forgets log, faults, clock, rates. */
	reset: (seed?: Seed) => Promise<void>;
	state: () => Promise<SandboxState>;
	workspaces: () => Promise<WorkspaceView[]>;
	vendors: () => Promise<VendorView[]>;
	/** The vendor with this address; throws when there is none. */
	vendor: (email: string) => Promise<VendorView>;
	partners: () => Promise<Partner[]>;
	payables: () => Promise<Payable[]>;
	fundings: () => Promise<Funding[]>;
	deposits: () => Promise<Deposit[]>;
	subscriptions: () => Promise<SubscriptionView[]>;
	ledger: () => Promise<Ledger>;
	outbox: () => Promise<Mail[]>;
	events: () => Promise<Event[]>;
	/** Enters a vendor into the network, attached to nobody; `pending` unless told otherwise. */
	addVendor: (vendor: {
		email: string;
		businessName?: string;
		status?: VendorStatus;
		serviceId?: string;
	}) => Promise<VendorView>;
	/** By address or network id; waiting payables settle. */
	verifyVendor: (vendor: string) => Promise<VendorView>;
	rejectVendor: (vendor: string) => Promise<VendorView>;
	/** The vendor's tax form runs out: a verified one is told to the workspaces, and payables wait. */
	expireTaxForm: (vendor: string) => Promise<VendorView>;
	/** Waiting payables settle. */
	renewTaxForm: (vendor: string) => Promise<VendorView>;
	/** A vendor accepts, whether invited by mail or by the workspace's link. */
	acceptInvitation: (workspaceId: string, email: string, businessName?: string) => Promise<void>;
	/** A bank transfer arrives. */
	deposit: (workspaceId: string, amount: number) => Promise<Deposit>;
	setSettlement: (mode: SettlementMode) => Promise<void>;
	requests: (operationId?: string) => Promise<LoggedRequest[]>;
	clearRequests: () => Promise<void>;
	addFault: (fault: Fault) => Promise<ArmedFault>;
	faults: () => Promise<ArmedFault[]>;
	clearFaults: () => Promise<void>;
	/** Changes the limit and forgets what was counted; a window is 60 seconds unless told otherwise. */
	setRequestsPerMinute: (requestsPerMinute: number, windowSeconds?: number) => Promise<void>;
	/** The limit, and what it has seen of each account since it was last changed. */
	rateLimit: () => Promise<Rate & { accounts: AccountUse[] }>;
	/** Moves the sandbox's clock; answers its time. */
	advanceClock: (seconds: number) => Promise<string>;
	now: () => Promise<string>;
	/** Every token issued so far counts as expired. */
	expireTokens: () => Promise<void>;
	/** An access token as the authorization-code flow would issue it; the demonstration's user. */
	userToken: (user?: string) => Promise<string>;
	/** Registers one more redirect URI of the demonstration's application. */
	addRedirectUri: (redirectUri: string) => Promise<void>;
	/** Whether a refresh answers with a new refresh token (`rotated`) or without one (`kept`). */
	setRefreshTokens: (mode: RefreshTokens) => Promise<void>;
	/** Takes back what a user, or everybody, has granted to applications. */
	revokeGrants: (user?: string) => Promise<void>;
}

/** A sandbox that runs in a process of its own. */
export interface Sandbox extends Ready {
	control: Control;
	/** An access token for the demonstration's client, or the given one. */
	token: (client?: { clientId: string; clientSecret: string }) => Promise<string>;
	/**
	 * A client of the REST API that throws at no status. Asks for a token unless one is given;
	 * null sends none.
	 */
	api: (token?: string | null) => Promise<AxiosInstance>;
	/** Ends it and waits until it is gone. */
	stop: () => Promise<void>;
}

const root = join(__dirname, '..');

/**
 * Starts a sandbox and waits until it listens. It ends with `stop()`, or with this process.
 * @throws with the sandbox's own words when it does not start
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-sandbox-'));
	const readyFile = join(folder, 'ready.json');
	const child = launch(options, readyFile);
	try {
		const ready = await waitUntilReady(child, readyFile);
		return connect(ready, async () => {
			await end(child);
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Speaks to a sandbox that somebody else has started. */
export function connect(ready: Ready, stop: () => Promise<void>): Sandbox {
	const token: Sandbox['token'] = async (client = ready) => {
		const { data } = await axios.post<Schemas['Token']>(`${ready.authUrl}/oauth/token`, {
			grant_type: 'client_credentials',
			client_id: client.clientId,
			client_secret: client.clientSecret,
			audience: ready.audience,
		});
		return data.access_token;
	};
	return {
		...ready,
		control: controlOf(ready),
		token,
		api: async (given) => {
			const bearer = given === undefined ? await token() : given;
			return axios.create({
				baseURL: ready.apiUrl,
				validateStatus: () => true,
				headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
			});
		},
		stop,
	};
}

function controlOf(ready: Ready): Control {
	const http = axios.create({ baseURL: ready.controlUrl });
	const get = async <T>(path: string): Promise<T> => (await http.get<T>(path)).data;
	const post = async <T>(path: string, body: object = {}): Promise<T> =>
		(await http.post<T>(path, body)).data;
	const list = async <K extends keyof SandboxState>(key: K): Promise<SandboxState[K]> =>
		(await get<Pick<SandboxState, K>>(`/${key}`))[key];
	const vendors = async () => await list('vendors');
	const changeTaxForm = async (vendor: string, status: 'valid' | 'expired') =>
		(await post<{ vendor: VendorView }>('/vendors/tax-form', { vendor, status })).vendor;
	return {
		...deliveryControl(http),
		seed: async (seed) => {
			await post('/seed', seed);
		},
		reset: async (seed) => {
			await post('/reset', seed === undefined ? {} : { seed });
		},
		state: async () => await get<SandboxState>('/state'),
		workspaces: async () => await list('workspaces'),
		vendors,
		vendor: async (email) => {
			const found = (await vendors()).find((vendor) => vendor.email === email);
			if (found === undefined) throw new Error(`There is no vendor ${email} in the sandbox.`);
			return found;
		},
		partners: async () => await list('partners'),
		payables: async () => await list('payables'),
		fundings: async () => await list('fundings'),
		deposits: async () => await list('deposits'),
		subscriptions: async () => await list('subscriptions'),
		ledger: async () => await get<Ledger>('/ledger'),
		outbox: async () => (await get<{ mails: Mail[] }>('/outbox')).mails,
		events: async () => (await get<{ events: Event[] }>('/events')).events,
		addVendor: async (vendor) => (await post<{ vendor: VendorView }>('/vendors', vendor)).vendor,
		verifyVendor: async (vendor) =>
			(await post<{ vendor: VendorView }>('/vendors/verify', { vendor })).vendor,
		rejectVendor: async (vendor) =>
			(await post<{ vendor: VendorView }>('/vendors/reject', { vendor })).vendor,
		expireTaxForm: async (vendor) => await changeTaxForm(vendor, 'expired'),
		renewTaxForm: async (vendor) => await changeTaxForm(vendor, 'valid'),
		acceptInvitation: async (workspaceId, email, businessName) => {
			await post('/invitations/accept', { workspaceId, email, businessName });
		},
		deposit: async (workspaceId, amount) =>
			(await post<{ deposit: Deposit }>('/deposits', { workspaceId, amount })).deposit,
		setSettlement: async (mode) => {
			await post('/settlement', { mode });
		},
		requests: async (operationId) => {
			const query = operationId === undefined ? '' : `?operationId=${operationId}`;
			return (await get<{ requests: LoggedRequest[] }>(`/requests${query}`)).requests;
		},
		clearRequests: async () => {
			await http.delete('/requests');
		},
		addFault: async (fault) => (await post<{ fault: ArmedFault }>('/faults', fault)).fault,
		faults: async () => (await get<{ faults: ArmedFault[] }>('/faults')).faults,
		clearFaults: async () => {
			await http.delete('/faults');
		},
		setRequestsPerMinute: async (requestsPerMinute, windowSeconds) => {
			await post('/rate-limit', { requestsPerMinute, windowSeconds });
		},
		rateLimit: async () => await get<Rate & { accounts: AccountUse[] }>('/rate-limit'),
		advanceClock: async (seconds) =>
			(await post<{ now: string }>('/clock/advance', { seconds })).now,
		now: async () => (await get<{ now: string }>('/clock')).now,
		expireTokens: async () => {
			await post('/tokens/expire');
		},
		userToken: async (user = ready.userId) =>
			(await post<{ accessToken: string }>('/user-token', { user })).accessToken,
		addRedirectUri: async (redirectUri) => {
			await post('/redirect-uris', { applicationId: ready.applicationId, redirectUri });
		},
		setRefreshTokens: async (mode) => {
			await post('/refresh-tokens', { mode });
		},
		revokeGrants: async (user) => {
			await post('/grants/revoke', { user });
		},
	};
}

/** A running process, with what it has said so far. */
interface Child {
	process: ChildProcess;
	exited: Promise<void>;
	output: () => string;
}

function launch(options: SandboxOptions, readyFile: string): Child {
	const flags = [
		...['--port', String(options.port ?? 0), '--auth-port', String(options.authPort ?? 0)],
		...['--ready-file', readyFile],
		...(options.data === undefined ? [] : ['--data', options.data]),
		...(options.production === true ? ['--production'] : []),
		...(options.strictJson === true ? ['--strict-json'] : []),
		...(options.requestsPerMinute === undefined
			? []
			: ['--requests-per-minute', String(options.requestsPerMinute)]),
		...(options.rateWindowSeconds === undefined
			? []
			: ['--rate-window-seconds', String(options.rateWindowSeconds)]),
	];
	// The import hook instead of the tsx command: one process, which the channel below can end.
	const args = ['--import', require.resolve('tsx'), join(root, 'sandbox', 'main.ts'), ...flags];
	const child = spawn(node(), args, {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: environment(),
	});
	let said = '';
	const listen = (text: string): void => {
		said = (said + text).slice(-20_000);
		options.onOutput?.(text);
	};
	child.stdout?.setEncoding('utf8').on('data', listen);
	child.stderr?.setEncoding('utf8').on('data', listen);
	const exited = new Promise<void>((resolve) => {
		child.once('exit', () => {
			resolve();
		});
		child.once('error', (error) => {
			listen(error.message);
			resolve();
		});
	});
	return { process: child, exited, output: () => said };
}

/** The state lives in node:sqlite, which an older Node running this may not have. */
function node(): string {
	const bundled = join(root, 'node_modules', 'node', 'bin', 'node');
	const recent = Number(process.versions.node.split('.')[0]) >= 24;
	return recent || !existsSync(bundled) ? process.execPath : bundled;
}

/** A debugger or test runner attached to this process is no business of the child. */
function environment(): NodeJS.ProcessEnv {
	const { NODE_OPTIONS: _, ...rest } = process.env;
	return { ...rest, TSX_TSCONFIG_PATH: join(root, 'tsconfig.dev.json') };
}

const STARTING_MS = 30_000;

async function waitUntilReady(child: Child, readyFile: string): Promise<Ready> {
	const deadline = Date.now() + STARTING_MS;
	while (!existsSync(readyFile)) {
		if (hasEnded(child)) throw new Error(`The sandbox did not start.\n${child.output()}`);
		if (Date.now() > deadline) {
			await end(child);
			throw new Error(`The sandbox was not ready in ${STARTING_MS / 1000} s.\n${child.output()}`);
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	return JSON.parse(readFileSync(readyFile, 'utf8')) as Ready;
}

async function end(child: Child): Promise<void> {
	if (!hasEnded(child)) child.process.kill('SIGTERM');
	await child.exited;
}

/** Also true for a process that could not be started at all. */
const hasEnded = ({ process: { pid, exitCode, signalCode } }: Child): boolean =>
	pid === undefined || exitCode !== null || signalCode !== null;
