import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { components } from '../../contract/service';
import type { Control, Deposit, Funding, Payable, Sandbox } from '../../sandbox/client';
import type { Options } from '../../sandbox/options';
import { demo } from '../../sandbox/seed/demo';
import { startSandbox } from '../support/sandbox';
import { withContractChecks } from './contract-checks';

export { demo };

type Schemas = components['schemas'];
type PayableFields = Partial<Schemas['PayableCreate']>;
type FundingFields = Partial<Schemas['FundingCreate']>;
export type EventType = Schemas['EventType'];
type Subscription = Schemas['WebhookSubscription'];

export const everyEventType: EventType[] = [
	'payable.approved',
	'payable.paid',
	'payable.status_changed',
	'partner.status_changed',
];

/** Requests as they are: any status is an answer, and no redirect is followed. */
export const http = axios.create({ maxRedirects: 0, validateStatus: null });

/** Sends a body as it stands: axios would make proper JSON of it. */
export const asItIs = { transformRequest: [(data: unknown) => data] };

/** The calls of a sandbox that tests make all the time. */
class SandboxCalls {
	/** The API as the demonstration's client. */
	api!: AxiosInstance;
	sandbox!: Sandbox;

	get control(): Control {
		return this.sandbox.control;
	}

	/** The path of a call in the demonstration's first workspace. */
	path(rest = ''): string {
		return `/workspace/${demo.workspaceId}${rest}`;
	}

	/** The API with another token, or with none. */
	async client(token?: string | null): Promise<AxiosInstance> {
		return withContractChecks(await this.sandbox.api(token));
	}

	/** The API as the other buyer. */
	async otherClient(): Promise<AxiosInstance> {
		const { otherClientId: clientId, otherClientSecret: clientSecret } = demo;
		return await this.client(await this.sandbox.token({ clientId, clientSecret }));
	}

	/** The API as the demonstration's user. */
	async userClient(): Promise<AxiosInstance> {
		return await this.client(await this.control.userToken());
	}

	/** A payable in draft; 1000 us_cents for the verified vendor unless told otherwise. */
	async payable(fields: PayableFields = {}): Promise<Payable> {
		const payee = fields.payee_service_id ? {} : { payee_email: demo.verifiedVendorEmail };
		const body = { workspace_id: demo.workspaceId, amount: 1000, ...payee, ...fields };

		return ok(await this.api.post<{ payable: Payable }>('/payable', body)).payable;
	}

	async approve(id: string): Promise<Payable> {
		return ok(await this.api.post<{ payable: Payable }>(`/payable/${id}/approve`)).payable;
	}

	/** An approved payable. */
	async approved(fields: PayableFields = {}): Promise<Payable> {
		return await this.approve((await this.payable(fields)).id);
	}

	/** A payable that was approved, and for which there is a funding. */
	async fundedPayable(fields: PayableFields = {}, funding: FundingFields = {}): Promise<Payable> {
		const payable = await this.approved(fields);
		await this.funded([payable], funding);

		return payable;
	}

	/** Asks for a funding of these payables, for their sum unless told otherwise. */
	async fund(payables: Payable[], fields: FundingFields = {}) {
		return await this.api.post<{ funding: Funding }>('/funding', {
			workspace_id: demo.workspaceId,
			method: 'balance',
			amount: payables.reduce((sum, { amount }) => sum + amount, 0),
			payable_ids: payables.map(({ id }) => id),
			...fields,
		});
	}

	/** A funding that must succeed. */
	async funded(payables: Payable[], fields: FundingFields = {}): Promise<Funding> {
		return ok(await this.fund(payables, fields)).funding;
	}

	/** An invoice that waits for its deposit, of these payables or of a new one. */
	async invoice(payables?: Payable[]): Promise<Funding> {
		return await this.funded(payables ?? [await this.approved()], { method: 'invoice' });
	}

	/** A simulated deposit. */
	async deposit(amount: number, workspaceId: string = demo.workspaceId): Promise<Deposit> {
		const path = `/workspace/${workspaceId}/wallet/deposit`;
		return ok(await this.api.post<{ deposit: Deposit }>(path, { amount })).deposit;
	}

	async link(funding: { id: string }, deposit: { id: string }): Promise<AxiosResponse> {
		return await this.api.post(`/funding/${funding.id}/link-deposit`, { deposit_id: deposit.id });
	}

	/** The payable as it stands now. */
	async current(payable: { id: string }): Promise<Payable> {
		const found = (await this.control.payables()).find(({ id }) => id === payable.id);
		if (found === undefined) {
			throw new Error(`There is no payable ${payable.id}.`);
		}

		return found;
	}

	async statusOf(payable: { id: string }): Promise<Payable['status']> {
		return (await this.current(payable)).status;
	}

	/** The address of a page of the sandbox. */
	pageUrl(path: string): string {
		return new URL(path, this.sandbox.apiUrl).href;
	}

	/** The address of a page of the console. */
	consoleUrl(path: string): string {
		return this.pageUrl(`/_sandbox/console${path}`);
	}

	/** The address of the console's page about the demonstration's first workspace. */
	workspacePage(): string {
		return this.consoleUrl(`/workspaces/${demo.workspaceId}`);
	}

	/** The address of a workspace's invite page. */
	inviteUrl(workspaceId: string = demo.workspaceId): string {
		return this.pageUrl(`/join?invitationId=${workspaceId}`);
	}

	/** The partner of a workspace with this address, or undefined. */
	async partner(email: string, workspaceId: string = demo.workspaceId) {
		const partners = await this.control.partners();
		return partners.find((one) => one.email === email && one.workspace_id === workspaceId);
	}

	/** What the wallet of a workspace holds, in minor units. */
	async balance(workspaceId: string = demo.workspaceId): Promise<number> {
		return ok(await this.api.get<Schemas['Wallet']>(`/workspace/${workspaceId}/wallet`)).balance;
	}
}

/** A sandbox for one test file, reset before each test, and its calls. */
export class SandboxFixture extends SandboxCalls {
	/** @param keepsState whether all tests of the file play on in what those before them left */
	constructor(options: Partial<Options> = {}, { keepsState = false } = {}) {
		super();

		beforeAll(async () => {
			this.sandbox = await startSandbox({ requestsPerMinute: 1_000_000, ...options });
			this.api = await this.client();
		});

		beforeEach(async () => {
			if (!keepsState) {
				await this.control.reset();
			}
		});

		afterAll(async () => {
			await this.sandbox.stop();
		});
	}
}

/** The calls of a sandbox that runs. */
export const callsOf = async (sandbox: Sandbox): Promise<SandboxCalls> =>
	Object.assign(new SandboxCalls(), { sandbox, api: await sandbox.api() });

/** Subscribes an address to events of a workspace, of every type unless told otherwise. */
export async function createSubscription(
	api: AxiosInstance,
	url: string,
	events = everyEventType,
	workspaceId: string = demo.workspaceId,
): Promise<Subscription> {
	type Answer = { webhook_subscription: Subscription };
	const path = `/workspace/${workspaceId}/webhook-subscription`;

	return ok(await api.post<Answer>(path, { url, events })).webhook_subscription;
}

/** The body of an answer that must be a success. */
export function ok<T>({ status, data: body }: AxiosResponse<T>): T {
	expect({ status, body }).toEqual({ status: 200, body });

	return body;
}

/** The status, code and message of an answer that must be a refusal in the API's own form. */
export function errorOf({ status, data }: AxiosResponse) {
	const { code, message } = (data as Schemas['Error']).error;
	return { status, code, message };
}
