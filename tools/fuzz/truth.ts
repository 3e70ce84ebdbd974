import { setTimeout as delay } from 'node:timers/promises';

/** A payable, as the service has it. */
export interface Payable {
	id: string;
	round: number;
	/** Empty for one that was made by hand. */
	reference: string;
	payee: string;
	/** Minor units. */
	amount: number;
	isApproved: boolean;
}

/** A funding that the service has taken. */
export interface Funding {
	id: string;
	round: number;
	taskId: string;
	method: string;
	payableIds: string[];
	/** When its sender sent it, in milliseconds since 1970. */
	sentAt: number;
	/** When the service took it. */
	takenAt: number;
	/** Whether its answer has left the service. */
	isAnswered: boolean;
	/** The operator has canceled its invoice. */
	isCanceled: boolean;
	isLinked: boolean;
}

export interface Answer {
	status: number;
	body: Record<string, unknown>;
}

/** Where a request to the service comes from. */
export interface Sender {
	taskId: string;
	round: number;
	sentAt: number;
}

interface OnItsWay {
	round: number;
	payableIds: string[];
	arrive: () => void;
}

const MAX_LATE_MS = 2500;

/** The service without its connections: what has really happened. */
export class Truth {
	readonly payables = new Map<string, Payable>();
	readonly fundings: Funding[] = [];
	/** The rounds in which a payable is funded as often as it is asked for. */
	readonly lenient = new Set<number>();
	private readonly onItsWay = new Set<OnItsWay>();

	addPayable(payable: Omit<Payable, 'id'>): Payable {
		const added = { ...payable, id: `pay-${this.payables.size + 1}` };
		this.payables.set(added.id, added);
		return added;
	}

	create(body: Record<string, unknown>, { round }: Sender): Answer {
		const reference = /\[(.*)\]/.exec(String(body['description']))?.[1] ?? '';
		const { id } = this.addPayable({
			round,
			reference,
			payee: String(body['payee_email']),
			amount: Number(body['amount']),
			isApproved: false,
		});
		return { status: 200, body: { id } };
	}

	approve(id: string): Answer {
		const payable = this.payables.get(id);
		if (payable === undefined || payable.isApproved) {
			return { status: 409, body: { message: 'It is approved' } };
		}

		payable.isApproved = true;
		return { status: 200, body: { id } };
	}

	fund(body: Record<string, unknown>, sender: Sender): { answer: Answer; funding?: Funding } {
		const payableIds = payableIdsIn(body);
		const payables = payableIds.flatMap((id) => this.payables.get(id) ?? []);
		if (payables.some(({ payee }) => isUnpayable(payee))) {
			return { answer: { status: 422, body: { message: 'This vendor cannot be paid' } } };
		}

		const isFunded = payableIds.some((id) => this.fundingsOf(id).length > 0);
		const isRefused = isFunded && !this.lenient.has(sender.round);
		const areApproved = payables.every(({ isApproved }) => isApproved);
		if (isRefused || !areApproved || payables.length < payableIds.length) {
			return { answer: { status: 409, body: { message: 'A payable cannot be funded' } } };
		}

		const { taskId, round, sentAt } = sender;
		const funding: Funding = {
			id: `fund-${this.fundings.length + 1}`,
			round,
			taskId,
			method: String(body['method']),
			payableIds,
			sentAt,
			takenAt: Date.now(),
			isAnswered: false,
			isCanceled: false,
			isLinked: false,
		};
		this.fundings.push(funding);
		return { answer: { status: 200, body: { id: funding.id } }, funding };
	}

	link(fundingId: string): Answer {
		const funding = this.fundings.find(({ id }) => id === fundingId);
		if (funding === undefined || funding.isCanceled || funding.isLinked) {
			return { status: 409, body: { message: 'It cannot be linked' } };
		}

		funding.isLinked = true;
		return { status: 200, body: { id: fundingId } };
	}

	/** Cancels an invoice; false when it is paid. */
	cancel(fundingId: string): boolean {
		const funding = this.fundings.find(({ id }) => id === fundingId);
		if (funding === undefined || funding.isLinked || funding.method !== 'invoice') {
			return false;
		}

		funding.isCanceled = true;
		return true;
	}

	/** Does something in a while, as if it had been on its way. */
	later(round: number, payableIds: string[], effect: () => void): void {
		const request = { round, payableIds, arrive: effect };
		this.onItsWay.add(request);
		void delay(Math.random() * MAX_LATE_MS).then(() => {
			this.arrive(request);
		});
	}

	/** Lets all arrive that is on its way. */
	arriveAll(round: number): void {
		for (const request of [...this.onItsWay].filter((one) => one.round === round)) {
			this.arrive(request);
		}
	}

	isOnItsWay(payableId: string): boolean {
		return [...this.onItsWay].some(({ payableIds }) => payableIds.includes(payableId));
	}

	/** The fundings of a payable that were not canceled. */
	fundingsOf(payableId: string): Funding[] {
		return this.fundings.filter(
			({ payableIds, isCanceled }) => payableIds.includes(payableId) && !isCanceled,
		);
	}

	payablesOf(round: number): Payable[] {
		return [...this.payables.values()].filter((payable) => payable.round === round);
	}

	private arrive(request: OnItsWay): void {
		if (this.onItsWay.delete(request)) {
			request.arrive();
		}
	}
}

export const payableIdsIn = (body: Record<string, unknown>): string[] =>
	[body['payable_ids']].flat().map(String);

/** Vendors whom the service refuses to pay. */
const isUnpayable = (payee: string): boolean => payee.startsWith('unpayable');

/** The number in a reference; empty without one. */
export const numberIn = (reference: string): string => /\d{6,}/.exec(reference)?.[0] ?? '';
