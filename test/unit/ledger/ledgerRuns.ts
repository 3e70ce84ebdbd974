import {
	verdictOn,
	type BeginResult,
	type Claim,
	type Ledger,
	type Rules,
	type Verdict,
} from '../../../nodes/PartnerPayments/ledger/ledger';
import type { Payment } from '../../../nodes/PartnerPayments/ledger/payment';
import type { Patience } from '../../../nodes/PartnerPayments/ledger/times';

/** What a run belongs to. */
export interface RunOptions {
	environment?: string;
	/** How long it waits for other runs. Without it, a moment, so that tests of runs that were cut off need not wait. */
	patience?: Patience;
}

/** A payment of 250.00 to Ada with a payable of its own, unless told otherwise. */
export const paymentOf = (reference: string, more: Partial<Payment> = {}): Payment => ({
	reference,
	workspaceId: '7f0c9a52-5b0e-4f7e-9f0e-3c1a2b4d5e6f',
	payee: 'ada@example.com',
	amount: 25_000,
	payableId: `pay-${reference}`,
	...more,
});

/** A payable that is funded by its ID. */
export const payableOf = (payableId: string): Payment =>
	paymentOf('', { payee: '', amount: 0, payableId });

/** Begins a claim; fails where that is not possible. */
export async function claimOf(ledger: Ledger, ...payments: Payment[]): Promise<Claim> {
	const beginning = await ledger.begin(payments);
	if (beginning.kind === 'begun') {
		return beginning.claim;
	}
	const kinds = [...beginning.verdicts.values()].map(({ kind }) => kind);
	throw new Error(`It is blocked: ${kinds.join()}`);
}

/** Leaves payables that a run has made and approved for a later run. */
export async function prepareIn(ledger: Ledger, ...payments: Payment[]): Promise<void> {
	await ledger.recordPayables(payments);
	await ledger.storeLeftover(payments, 'prepared');
}

/** The kinds of verdicts that have blocked payments; "begun" when nothing has. */
export function blocksOf(result: BeginResult, ...payments: Payment[]): string[] {
	return payments.map((payment) =>
		result.kind === 'blocked' ? verdictOn(payment, result.verdicts).kind : 'begun',
	);
}

/** Whether a claim could begin. */
export const begins = async (ledger: Ledger, ...payments: Payment[]): Promise<boolean> =>
	(await ledger.begin(payments)).kind === 'begun';

/** Times in ISO 8601. */
export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
export const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

/** Rules that hold nothing, but for the changes. */
export const rulesWith = (changes: Partial<Rules>): Rules => ({
	maxTotal: Infinity,
	maxPerDay: Infinity,
	dayStart: hourAgo(),
	holdAbove: Infinity,
	holdNewPayees: false,
	holdUnusualTimes: Infinity,
	holdDuplicatesSince: undefined,
	...changes,
});

/** The kinds of verdicts on payments, as a run finds them before it has payables for them. */
export async function kindsIn(ledger: Ledger, ...payments: Payment[]): Promise<string[]> {
	const asked = payments.map((payment) =>
		payment.reference === '' ? payment : { ...payment, payableId: undefined },
	);
	const { verdicts } = await ledger.find(asked);
	return asked.map((payment) => verdictOn(payment, verdicts).kind);
}

/** The verdict on a payment, as a run finds it before it has a payable for it. */
export async function verdictIn(ledger: Ledger, payment: Payment): Promise<Verdict> {
	const asked = { ...payment, payableId: undefined };
	const { verdicts } = await ledger.find([asked]);
	return verdictOn(asked, verdicts);
}
