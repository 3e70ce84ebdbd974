import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import type { components } from '../../contract/service';
import type { Control, Deposit, Funding, Payable, Sandbox } from '../../sandbox/client';
import type { Options } from '../../sandbox/options';
import { startSandbox } from '../support/sandbox';
import { withContractChecks } from './contract-checks';

type Schemas = components['schemas'];
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

/** A sandbox for one test file, reset before each test, and the calls that tests make all the time. */
export class SandboxFixture {
	/** The API as the demonstration's client. */
	api!: AxiosInstance;
	sandbox!: Sandbox;

	/** @param keepsState whether all tests of the file play on in what those before them left */
	constructor(options: Partial<Options> = {}, { keepsState = false } = {}) {
		beforeAll(async () => {
			this.sandbox = await startSandbox({ requestsPerMinute: 1_000_000, ...options });
			this.api = await this.client();
		});
		beforeEach(async () => {
			if (!keepsState) await this.control.reset();
		});
		afterAll(async () => {
			await this.sandbox.stop();
		});
	}

	get control(): Control {
		return this.sandbox.control;
	}

	/** The path of a call in the demonstration's first workspace. */
	path(rest = ''): string {
		return `/workspace/${this.sandbox.workspaceId}${rest}`;
	}

	/** The API with another token, or with none. */
	async client(token?: string | null): Promise<AxiosInstance> {
		return withContractChecks(await this.sandbox.api(token));
	}

	/** The API as the other buyer. */
	async otherClient(): Promise<AxiosInstance> {
		const { otherClientId: clientId, otherClientSecret: clientSecret } = this.sandbox;
		return await this.client(await this.sandbox.token({ clientId, clientSecret }));
	}

	/** A payable in draft; 1000 us_cents for the verified vendor unless told otherwise. */
	async payable(fields: Partial<Schemas['PayableCreate']> = {}): Promise<Payable> {
		const payee =
			fields.payee_service_id === undefined
				? { payee_email: this.sandbox.verifiedVendorEmail }
				: {};
		const body = { workspace_id: this.sandbox.workspaceId, amount: 1000, ...payee, ...fields };
		return ok(await this.api.post<{ payable: Payable }>('/payable', body)).payable;
	}

	async approve(id: string): Promise<Payable> {
		return ok(await this.api.post<{ payable: Payable }>(`/payable/${id}/approve`)).payable;
	}

	/** An approved payable. */
	async approved(fields: Partial<Schemas['PayableCreate']> = {}): Promise<Payable> {
		return await this.approve((await this.payable(fields)).id);
	}

	/** Asks for a funding of these payables, for their sum unless told otherwise. */
	async fund(
		payables: Payable[],
		fields: Partial<Schemas['FundingCreate']> = {},
	): Promise<AxiosResponse<{ funding: Funding }>> {
		return await this.api.post<{ funding: Funding }>('/funding', {
			workspace_id: this.sandbox.workspaceId,
			method: 'balance',
			amount: payables.reduce((sum, { amount }) => sum + amount, 0),
			payable_ids: payables.map(({ id }) => id),
			...fields,
		});
	}

	/** A funding that must succeed. */
	async funded(
		payables: Payable[],
		fields: Partial<Schemas['FundingCreate']> = {},
	): Promise<Funding> {
		return ok(await this.fund(payables, fields)).funding;
	}

	/** A simulated deposit. */
	async deposit(amount: number, workspaceId = this.sandbox.workspaceId): Promise<Deposit> {
		const path = `/workspace/${workspaceId}/wallet/deposit`;
		return ok(await this.api.post<{ deposit: Deposit }>(path, { amount })).deposit;
	}

	async link(funding: Funding, deposit: { id: string }): Promise<AxiosResponse> {
		return await this.api.post(`/funding/${funding.id}/link-deposit`, { deposit_id: deposit.id });
	}

	/** The payable as it stands now. */
	async current(payable: { id: string }): Promise<Payable> {
		const found = (await this.control.payables()).find(({ id }) => id === payable.id);
		if (found === undefined) throw new Error(`There is no payable ${payable.id}.`);
		return found;
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
		return this.consoleUrl(`/workspaces/${this.sandbox.workspaceId}`);
	}

	/** The address of a workspace's invite page. */
	inviteUrl(workspaceId = this.sandbox.workspaceId): string {
		return this.pageUrl(`/join?invitationId=${workspaceId}`);
	}

	/** The partner of a workspace with this address, or undefined. */
	async partner(email: string, workspaceId = this.sandbox.workspaceId) {
		const partners = await this.control.partners();
		return partners.find((one) => one.email === email && one.workspace_id === workspaceId);
	}

	/** What the wallet of a workspace holds, in minor units. */
	async balance(workspaceId = this.sandbox.workspaceId): Promise<number> {
		return ok(await this.api.get<Schemas['Wallet']>(`/workspace/${workspaceId}/wallet`)).balance;
	}
}

/** Subscribes an address to events of a workspace, of every type unless told otherwise. */
export async function createSubscription(
	api: AxiosInstance,
	workspaceId: string,
	url: string,
	events = everyEventType,
): Promise<Subscription> {
	const path = `/workspace/${workspaceId}/webhook-subscription`;
	const body = { url, events };
	return ok(await api.post<{ webhook_subscription: Subscription }>(path, body))
		.webhook_subscription;
}

/** The body of an answer that must be a success. */
export function ok<T>(response: AxiosResponse<T>): T {
	expect({ status: response.status, body: response.data }).toEqual({
		status: 200,
		body: response.data,
	});
	return response.data;
}

/** The status, code and message of an answer that must be a refusal in the API's own form. */
export function errorOf(response: AxiosResponse): {
	status: number;
	code: string;
	message: string;
} {
	const { error } = response.data as Schemas['Error'];
	return { status: response.status, code: error.code, message: error.message };
}
