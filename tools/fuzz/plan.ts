import { seeded, type Random } from '../random';
import type { FaultRates, PayoutPlan } from './messages';

/** An invoice of a round. */
export interface Invoice {
	/** What its reference is made of; no other invoice of any round has it. */
	number: string;
	payee: string;
	otherPayee: string;
	/** Dollars. */
	amount: string;
	otherAmount: string;
}

/** What happens in a round; what it concerns is chosen from what is there then. */
export type Act =
	| { kind: 'send'; payouts: PayoutPlan[] }
	| { kind: 'fund' | 'hear' | 'link' | 'resolve' }
	/** A person approves a draft in the service. */
	| { kind: 'approve' }
	| { kind: 'kill' };

export interface Step {
	act: Act;
	afterMs: number;
	seed: number;
}

export interface RoundPlan {
	seed: number;
	invoices: Invoice[];
	/** Whether the service funds a payable as often as it is asked to. */
	isLenient: boolean;
	/** Whether persons may say what is not so. */
	mayLie: boolean;
	/** Payables that a person has made in the service. */
	byHand: number;
	faults: FaultRates;
	/** Steps that happen together; time passes between the waves. */
	waves: Step[][];
}

const MAX_DELAY_MS = 400;
const NO_FAULTS: FaultRates = { ledger: 0, service: 0, death: 0 };

/** So often of a hundred each is chosen. */
type Weights<Value extends string> = Record<Value, number>;

const ACTS: Weights<Act['kind']> = {
	send: 54,
	resolve: 14,
	fund: 12,
	hear: 7,
	link: 6,
	approve: 4,
	kill: 3,
};
const LATER_ACTS: Weights<Act['kind']> = { ...ACTS, send: 45, resolve: 25, kill: 1 };
const METHODS: Weights<PayoutPlan['method']> = { balance: 65, invoice: 20, none: 15 };
const VARIANTS: Weights<'same' | 'spelled' | 'similar' | 'amount' | 'payee' | 'other'> = {
	same: 76,
	spelled: 4,
	similar: 6,
	amount: 5,
	payee: 4,
	other: 5,
};

/** What happens in the round of a seed, always the same. `index` tells it from the other rounds of a run. */
export function planRound(index: number, seed: number): RoundPlan {
	const random = seeded(seed);
	const invoices = Array.from({ length: upTo(random, 2) }, (_, at) =>
		invoiceOf(String(100_000 + index * 10 + at), random),
	);
	const rate = (share: number, most: number): number => (random() < share ? random() * most : 0);
	const faults = { ledger: rate(0.6, 0.3), service: rate(0.85, 0.7), death: rate(0.5, 0.05) };
	const waves = [
		firstWave(random, invoices),
		wave(random, invoices, ACTS, 3 + upTo(random, 5)),
		wave(random, invoices, LATER_ACTS, 2 + upTo(random, 5)),
		wave(random, invoices, LATER_ACTS, upTo(random, 5)),
	];
	return {
		seed,
		invoices,
		isLenient: random() < 0.7,
		mayLie: random() < 0.35,
		byHand: Math.floor(random() * 2),
		faults,
		waves,
	};
}

/** A payout of each invoice, as it is. */
export const payoutOf = (
	{ number, payee, amount }: Invoice,
	method: PayoutPlan['method'] = 'balance',
): PayoutPlan => ({ reference: `INV-${number}`, payee, amount, method });

export { NO_FAULTS };

function invoiceOf(number: string, random: Random): Invoice {
	const name = random() < 0.06 ? 'unpayable' : 'vendor';
	return {
		number,
		payee: `${name}-${number}@example.com`,
		otherPayee: `other-${number}@example.com`,
		amount: '100.00',
		otherAmount: '99.00',
	};
}

/** Some payouts are prepared before. */
function firstWave(random: Random, invoices: Invoice[]): Step[] {
	const prepared = invoices.filter(() => random() < 0.4);
	if (prepared.length === 0) {
		return [];
	}

	const payouts = prepared.map((invoice) => payoutOf(invoice, 'none'));
	return [{ act: { kind: 'send', payouts }, afterMs: 0, seed: seedIn(random) }];
}

function wave(
	random: Random,
	invoices: Invoice[],
	weights: Weights<Act['kind']>,
	length: number,
): Step[] {
	return Array.from({ length }, () => {
		const kind = chosen(random, weights);
		const act: Act = kind === 'send' ? { kind, payouts: payoutsOf(random, invoices) } : { kind };
		// What others have made is there a little later.
		const share = kind === 'send' ? 0.4 : 1;
		return { act, afterMs: random() * MAX_DELAY_MS * share, seed: seedIn(random) };
	});
}

function payoutsOf(random: Random, invoices: Invoice[]): PayoutPlan[] {
	const method = chosen(random, METHODS);
	const some = invoices.filter(() => random() < 0.6);
	const wanted = some.length > 0 ? some : invoices.slice(0, 1);
	return wanted.map((invoice) => variantOf(random, invoice, method));
}

function variantOf(random: Random, invoice: Invoice, method: PayoutPlan['method']): PayoutPlan {
	const { number, otherPayee, otherAmount } = invoice;
	const payout = payoutOf(invoice, method);
	switch (chosen(random, VARIANTS)) {
		case 'spelled':
			return { ...payout, reference: `inv ${number}` };
		case 'similar':
			return { ...payout, reference: number };
		case 'amount':
			return { ...payout, amount: otherAmount };
		case 'payee':
			return { ...payout, payee: otherPayee };
		case 'other':
			return { ...payout, amount: otherAmount, payee: otherPayee };
		case 'same':
			return payout;
	}
}

/** One of several values, as often as its weight says. */
function chosen<Value extends string>(random: Random, weights: Weights<Value>): Value {
	const entries = Object.entries(weights) as Array<[Value, number]>;
	const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
	let rest = random() * total;
	for (const [value, weight] of entries) {
		rest -= weight;
		if (rest < 0) {
			return value;
		}
	}

	throw new Error('There is none to choose from');
}

const upTo = (random: Random, most: number): number => 1 + Math.floor(random() * most);

const seedIn = (random: Random): number => Math.floor(random() * 0x7fff_ffff);
