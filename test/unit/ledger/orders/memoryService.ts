import type { Client } from '../../../../nodes/PartnerPayments/api/client';
import type { ServiceRequest } from '../../../../nodes/PartnerPayments/api/http/message';
import type { AttemptResult } from '../../../../nodes/PartnerPayments/api/http/outcome';
import type { ResponseReader } from '../../../../nodes/PartnerPayments/api/responseReaders';
import type { Modules } from './protocolModules';
import type { Actor, Request, World } from './world';

/** What a payable is for, as its description and its fields say. */
export interface Invoice {
	/** Empty for a payable that is no payout's. */
	reference: string;
	payee: string;
	/** Minor units. */
	amount: number;
}

export interface Payable extends Invoice {
	id: string;
	/** Who made it. */
	by: Actor | undefined;
	isApproved: boolean;
	/** Whether an execution that also made it approved it. */
	isApprovedBySend: boolean;
}

/** A request that moves money. */
export interface FundingRequest {
	by: Actor;
	method: string;
	payableIds: string[];
	/** The steps after which it was sent, and at which the service took it. */
	sentAt: number;
	takenAt: number | undefined;
	id: string | undefined;
	/** Whether its sender gets, or has got, its answer. */
	isAnswered: boolean;
	/** Whether it may still be taken. */
	isOnItsWay: boolean;
}

/** A request that links a deposit to a funding. */
export interface LinkRequest {
	by: Actor;
	fundingId: string;
	depositId: string;
	/** Whether the ledger had the funding when it was sent. */
	isKnown: boolean;
	/** The step at which the service took it. */
	takenAt: number | undefined;
	/** Whether its sender gets, or has got, its answer. */
	isAnswered: boolean;
	/** Whether it may still be taken. */
	isOnItsWay: boolean;
}

const UNANSWERED: AttemptResult = {
	kind: 'unanswered',
	failure: { reason: 'no answer came in time', neverSent: false, isTransient: true },
};
const answerOf =
	(status: number, body: object = {}) =>
	(): AttemptResult => ({ kind: 'answered', status, body });
const noAnswer = (): AttemptResult => UNANSWERED;

/** The service, which funds what it is asked for as often as it is asked, but only approved payables. */
export class MemoryService {
	readonly payables = new Map<string, Payable>();
	readonly fundings: FundingRequest[] = [];
	readonly links: LinkRequest[] = [];
	/** Called after each approval. */
	onApproval: () => void = () => undefined;
	/** Whether the ledger has a funding. */
	isKnown: (fundingId: string) => boolean = () => false;
	private taken = 0;

	constructor(private readonly world: World) {}

	/** Makes a payable that is approved, as an earlier execution has. */
	addPayable(id: string, invoice: Invoice): void {
		const fields = { id, by: undefined, isApproved: true, isApprovedBySend: false };
		this.payables.set(id, { ...invoice, ...fields });
	}

	/** Makes an invoice funding of a payable, as an earlier execution has. */
	addInvoice(id: string, payableId: string, by: Actor): void {
		const fields = { sentAt: 0, takenAt: 0, isAnswered: true, isOnItsWay: false };
		this.fundings.push({ id, by, method: 'invoice', payableIds: [payableId], ...fields });
	}

	/** The links that the service has taken. */
	linksOf(fundingId: string | undefined): LinkRequest[] {
		return this.links.filter((link) => link.takenAt !== undefined && link.fundingId === fundingId);
	}

	/** Whether the money of a funding moves: that of an invoice does not before its deposit. */
	isMoving({ id, method }: FundingRequest): boolean {
		return method !== 'invoice' || this.linksOf(id).length > 0;
	}

	/** The fundings that the service has taken for payables. */
	fundingsOf(isWanted: (payable: Payable) => boolean): FundingRequest[] {
		return this.fundings.filter(
			({ takenAt, payableIds }) =>
				takenAt !== undefined &&
				payableIds.some((id) => {
					const payable = this.payables.get(id);
					return payable !== undefined && isWanted(payable);
				}),
		);
	}

	/** All that what can happen next depends on, and what is judged in the end. */
	describe(): string {
		const payables = [...this.payables.values()].map(
			({ id, reference, by, isApproved, isApprovedBySend }) =>
				`${id} ${reference} ${by?.name ?? ''} ${isApproved} ${isApprovedBySend}`,
		);
		const fundings = this.fundings.map(
			({ by, payableIds, id, isAnswered, isOnItsWay }) =>
				`${by.name} ${payableIds.join()} ${id ?? ''} ${isAnswered} ${isOnItsWay}`,
		);
		const links = this.links.map(
			({ by, fundingId, depositId, isKnown, takenAt, isAnswered, isOnItsWay }) =>
				`${by.name} ${fundingId} ${depositId} ${isKnown} ${takenAt !== undefined} ${isAnswered} ${isOnItsWay}`,
		);
		return [...payables, ...fundings, ...links].join('\n');
	}

	/** Connects an execution to the service. */
	clientFor(actor: Actor, { clock, sending }: Modules): Client {
		const virtualClock = {
			now: () => this.world.now,
			wait: async (ms: number) => {
				if (ms > 0) {
					await this.world.sleep(actor, ms);
				}
			},
		};
		const waitTimer = new clock.WaitTimer(virtualClock);
		const rateLimiter = { acquire: async () => await Promise.resolve(() => undefined) };
		const context = {
			clock: virtualClock,
			waitTimer,
			signal: undefined,
			host: 'api.example.com',
			rateLimiter: () => rateLimiter,
		} as unknown as ConstructorParameters<typeof sending.RetryableRequest>[1];
		const retryableRequest = <Value>(request: ServiceRequest, reader: ResponseReader<Value>) =>
			new sending.RetryableRequest(
				request,
				context,
				async () => await this.attempt(actor, request),
				({ body }) => reader.read(body) ?? unread(reader.expected),
			);
		const client = {
			credentialType: 'partnerPaymentsApi',
			environment: 'sandbox',
			credentials: {},
			waitTimer,
			retryableRequest,
			send: async <Value>(request: ServiceRequest, reader: ResponseReader<Value>) =>
				await sending.sendWithRetries(retryableRequest(request, reader)),
		};
		return client as unknown as Client;
	}

	private async attempt(actor: Actor, request: ServiceRequest): Promise<AttemptResult> {
		const { path, body = {} } = request;
		const [, resource = '', id = '', action = ''] = path.split('/');
		if (path === '/payable') {
			return await this.world.request(actor, this.creation(actor, body));
		}
		if (resource === 'payable' && action === 'approve') {
			return await this.world.request(actor, this.approval(actor, id));
		}
		if (path === '/funding') {
			return await this.world.request(actor, this.funding(actor, body));
		}
		if (action === 'link-deposit') {
			const [depositId] = [body['deposit_id']].flat().map(String);
			return await this.world.request(actor, this.linking(actor, id, depositId ?? ''));
		}
		const describe = (): string => request.task;
		const effect = answerOf(200, { balance: 100_000_000, pdf_url: 'https://example.com/invoice' });
		return await this.world.request(actor, {
			to: 'service',
			describe,
			effect,
			faults: { refused: answerOf(404) },
			canDie: false,
		});
	}

	private creation(actor: Actor, body: Record<string, unknown>): Request<AttemptResult> {
		const description = String(body['description']);
		const reference = /\[(.*)\]/.exec(description)?.[1] ?? '';
		const effect = (): AttemptResult => {
			const id = `pay-${this.payables.size + 1}`;
			const payee = String(body['payee_email']);
			const amount = Number(body['amount']);
			const state = { by: actor, isApproved: false, isApprovedBySend: false };
			this.payables.set(id, { id, reference, payee, amount, ...state });
			return { kind: 'answered', status: 200, body: { id } };
		};
		const describe = (): string => `create a payable for ${reference}`;
		return { to: 'service', describe, effect, faults: { lost: noAnswer }, canDie: true };
	}

	private approval(actor: Actor, id: string): Request<AttemptResult> {
		const effect = (): AttemptResult => {
			const payable = this.payables.get(id);
			if (payable === undefined || payable.isApproved) {
				return { kind: 'answered', status: 409, body: {} };
			}
			payable.isApproved = true;
			payable.isApprovedBySend = payable.by === actor;
			this.onApproval();
			return { kind: 'answered', status: 200, body: {} };
		};
		const faults = { refused: answerOf(422), lost: noAnswer, late: noAnswer };
		return { to: 'service', describe: () => `approve ${id}`, effect, faults, canDie: true };
	}

	/** A deposit is linked once, and a funding takes any number of deposits. */
	private linking(actor: Actor, fundingId: string, depositId: string): Request<AttemptResult> {
		const request: LinkRequest = {
			by: actor,
			fundingId,
			depositId,
			isKnown: this.isKnown(fundingId),
			takenAt: undefined,
			isAnswered: true,
			isOnItsWay: true,
		};
		this.links.push(request);
		const end = (result: AttemptResult) => (): AttemptResult => {
			request.isOnItsWay = false;
			return result;
		};
		const effect = (): AttemptResult => {
			request.isOnItsWay = false;
			if (this.linksOf(fundingId).some((link) => link.depositId === depositId)) {
				return { kind: 'answered', status: 409, body: {} };
			}
			request.takenAt = this.world.step;
			return { kind: 'answered', status: 200, body: {} };
		};
		const unanswered = (): AttemptResult => {
			request.isAnswered = false;
			return UNANSWERED;
		};
		const faults = {
			refused: end({ kind: 'answered', status: 422, body: {} }),
			limited: end({ kind: 'answered', status: 429, body: {} }),
			lost: unanswered,
			late: unanswered,
		};
		const describe = (): string => `link ${depositId} to ${fundingId}`;
		return { to: 'service', describe, effect, faults, canDie: true };
	}

	private funding(actor: Actor, body: Record<string, unknown>): Request<AttemptResult> {
		const payableIds = [body['payable_ids']].flat().map(String);
		const request: FundingRequest = {
			by: actor,
			method: String(body['method']),
			payableIds,
			sentAt: this.world.step,
			takenAt: undefined,
			id: undefined,
			isAnswered: true,
			isOnItsWay: true,
		};
		this.fundings.push(request);
		const end = (result: AttemptResult) => (): AttemptResult => {
			request.isOnItsWay = false;
			return result;
		};
		const effect = (): AttemptResult => {
			request.isOnItsWay = false;
			if (payableIds.some((id) => this.payables.get(id)?.isApproved !== true)) {
				return { kind: 'answered', status: 409, body: {} };
			}
			this.taken += 1;
			request.id = `fund-${this.taken}`;
			request.takenAt = this.world.step;
			return { kind: 'answered', status: 200, body: { id: request.id } };
		};
		const unanswered = (): AttemptResult => {
			request.isAnswered = false;
			return UNANSWERED;
		};
		const faults = {
			refused: end({ kind: 'answered', status: 402, body: {} }),
			limited: end({ kind: 'answered', status: 429, body: {} }),
			lost: unanswered,
			failed: end(UNANSWERED),
			late: unanswered,
		};
		return {
			to: 'service',
			describe: () => `fund ${payableIds.join(' + ')}`,
			effect,
			faults,
			canDie: true,
		};
	}
}

function unread(expected: string): never {
	throw new Error(`The service in memory answered without ${expected}`);
}
