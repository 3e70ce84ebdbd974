import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { pay } from '../../../nodes/PartnerPayments/resources/payout/send';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { Client } from '../../../nodes/PartnerPayments/api/client';
import { paymentOf } from '../ledger/ledgerContract';

/** A service that does what it is asked, unless a test says otherwise. */
export class FakeService {
	/** The bodies of the fundings that were asked for. */
	readonly fundings: IDataObject[] = [];
	/** The status of the answer at a path; undefined when nothing is wrong. */
	script: (path: string, asked: IDataObject) => number | undefined = () => undefined;
	/** An account of its own, whose limit no other test has reached. */
	private readonly clientId = randomUUID();
	private payables = 0;

	/** What an execution has of n8n. */
	n8n(): IExecuteFunctions {
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
			getExecutionCancelSignal: () => undefined,
			helpers: {
				httpRequestWithAuthentication: async (
					_: string,
					{ url, body = {} }: { url: string; body?: IDataObject },
				) => await Promise.resolve(this.answer(new URL(url).pathname, body)),
			},
		};
		return n8n as unknown as IExecuteFunctions;
	}

	private answer(path: string, asked: IDataObject): IDataObject {
		if (path === '/v1/funding') this.fundings.push(asked);
		const statusCode = this.script(path, asked) ?? 200;
		const id = path === '/v1/payable' ? `pay-${(this.payables += 1)}` : 'fund-1';
		const body = JSON.stringify(statusCode < 300 ? { id } : { message: 'No' });
		return { statusCode, headers: {}, body };
	}
}

/** Asks for 250.00 to Ada. */
function requestOf(reference: string, changes: Partial<PayoutRequest>): PayoutRequest {
	const { payableId: _, ...payment } = paymentOf(reference);
	const { workspaceId, amount } = payment;
	return {
		payment,
		payable: {
			workspace_id: workspaceId,
			amount,
			amount_denomination: 'us_cents',
			send_invite: false,
		},
		method: 'balance',
		fundingText: {},
		maxAmount: Infinity,
		maxTotal: Infinity,
		daily: undefined,
		isBalanceChecked: false,
		...changes,
	};
}

/** Pays what is asked for; returns the items that come out. */
export async function payAll(
	service: FakeService,
	ledger: Ledger,
	references: string[],
	changes: Partial<PayoutRequest> | ((reference: string) => Partial<PayoutRequest>) = {},
): Promise<IDataObject[]> {
	const n8n = service.n8n();
	const node = { type: 'partnerPayments', parameters: {} };
	const entries = references.map((reference, index) => ({
		item: new ItemParameters(n8n, index, node),
		input: requestOf(reference, typeof changes === 'function' ? changes(reference) : changes),
	}));
	const unused = async () => await Promise.reject(new Error('is not used'));
	const context = {
		client: await Client.connect(n8n, 'clientCredentials'),
		ledger: async () => await Promise.resolve(ledger),
		records: unused,
		createLedger: unused,
		hint: () => undefined,
		signal: undefined,
	};
	const results = await pay(entries, context);
	return results.map(({ output }) => ({ ...output?.json }));
}
