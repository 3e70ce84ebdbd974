import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { pay } from '../../../nodes/PartnerPayments/resources/payout/pay';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { Client } from '../../../nodes/PartnerPayments/service/api/client';
import { NODE, request } from './request';

export const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';

/** A request that the service got. */
export interface Received {
	path: string;
	body: IDataObject;
}

/** What the service answers; undefined for what it answers when nothing is wrong. */
export type Script = (
	request: Received,
) => Promise<{ status: number; headers?: IDataObject } | undefined>;

/** A service that does what it is asked, unless a test says otherwise. */
export class FakeService {
	readonly received: Received[] = [];
	script: Script = async () => await Promise.resolve(undefined);
	/** An account of its own, whose limit no other test has reached. */
	private readonly clientId = randomUUID();
	private payables = 0;

	/** The bodies of the fundings that were asked for. */
	get fundings(): IDataObject[] {
		return this.received.filter(({ path }) => path === '/v1/funding').map(({ body }) => body);
	}

	/** Connects an execution. */
	async connect(signal?: AbortSignal): Promise<Client> {
		return await Client.connect(this.n8n(signal), 'clientCredentials');
	}

	/** What an execution has of n8n. */
	n8n(signal?: AbortSignal): IExecuteFunctions {
		const n8n = {
			getCredentials: async () =>
				await Promise.resolve({
					environment: 'sandbox',
					apiBaseUrl: 'https://api.example.com/v1',
					authBaseUrl: 'https://auth.example.com',
					clientId: this.clientId,
					requestsPerMinute: 1_000,
					rateWindowSeconds: 0.1,
				}),
			getExecutionCancelSignal: () => signal,
			helpers: {
				httpRequestWithAuthentication: async (
					_: string,
					{ url, body = {} }: { url: string; body?: IDataObject },
				) => await this.answer({ path: new URL(url).pathname, body }),
			},
		};
		return n8n as unknown as IExecuteFunctions;
	}

	private async answer(request: Received): Promise<IDataObject> {
		this.received.push(request);
		const scripted = await this.script(request);
		const { status = 200, headers = {} } = scripted ?? {};
		const id = request.path === '/v1/payable' ? `pay-${(this.payables += 1)}` : 'fund-1';
		const body = JSON.stringify(status < 300 ? { id } : { message: 'No' });
		return { statusCode: status, headers, body };
	}
}

/** What an item asks for: 250.00 to Ada, unless told otherwise. */
export const requestOf = (reference: string, more: Partial<PayoutRequest> = {}): PayoutRequest =>
	request({
		claim: {
			reference,
			workspaceId: WORKSPACE,
			content: '250.00 to ada@example.com',
			payee: 'ada@example.com',
			amount: 25_000,
		},
		payable: {
			workspace_id: WORKSPACE,
			payee_email: 'ada@example.com',
			amount: 25_000,
			amount_denomination: 'us_cents',
		},
		isBalanceChecked: false,
		...more,
	});

/** Pays what is asked for; returns the items that come out, with their errors' messages. */
export async function payAll(
	service: FakeService,
	ledger: Ledger,
	requests: PayoutRequest[],
	signal?: AbortSignal,
): Promise<IDataObject[]> {
	const n8n = service.n8n(signal);
	const entries = requests.map((input, index) => ({
		item: new ItemParameters(n8n, index, NODE),
		input,
	}));
	const client = await service.connect(signal);
	const context = {
		client,
		ledger: async () => await Promise.resolve(ledger),
		ledgerTable: async () => await Promise.reject(new Error('is not used')),
		hint: () => undefined,
		signal,
	};
	const results = await pay(context, entries);
	return results.map(({ output, error }) => ({
		...output?.json,
		...(error instanceof Error && { error: error.message }),
	}));
}
