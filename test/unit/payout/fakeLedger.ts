import type {
	Claim,
	Ledger,
	Verdict,
	Verdicts,
} from '../../../nodes/PartnerPayments/ledger/ledger';
import { nameOf, type Payment } from '../../../nodes/PartnerPayments/ledger/payment';

/** Verdicts by reference. A payment without one is new. */
export type ByReference = Record<string, Verdict>;

export const DONE: Verdict = { kind: 'done', known: { state: 'funded', payableId: 'pay-other' } };

export function verdictsOn(payments: Payment[], byReference: ByReference = {}): Verdicts {
	const verdicts = new Map<string, Verdict>();
	for (const payment of payments) {
		verdicts.set(nameOf(payment), byReference[payment.reference] ?? { kind: 'new' });
	}
	return verdicts;
}

export type FakeLedger = jest.Mocked<Ledger>;

const mocked = <Name extends keyof Ledger>(
	method: (...parameters: Parameters<Ledger[Name]>) => ReturnType<Ledger[Name]>,
) => jest.fn<ReturnType<Ledger[Name]>, Parameters<Ledger[Name]>>(method);

/**
 * A ledger that knows nothing, lets everything begin, and takes all that it is told, until a test says
 * otherwise of one of its methods. What is about no payment is not in the log.
 */
export function fakeLedger(log: string[], claim: Claim): FakeLedger {
	const note = async (what: string, payments: Payment[]): Promise<void> => {
		if (payments.length > 0) {
			log.push(`${what} ${payments.map(({ reference }) => reference).join(' ')}`);
		}
		await Promise.resolve();
	};

	return {
		locate: jest.fn(async () => {
			await Promise.resolve();
		}),
		find: jest.fn(async (payments) => {
			await note('find', payments);
			return { verdicts: verdictsOn(payments), rows: [] };
		}),
		announce: mocked<'announce'>(async () => {
			log.push('announce');
			const end = async (): Promise<void> => {
				log.push('end of announcing');
				await Promise.resolve();
			};
			return await Promise.resolve(end);
		}),
		recordPayables: jest.fn(async (payments) => {
			await note('record', payments);
			return verdictsOn(payments);
		}),
		checkRules: mocked<'checkRules'>(async (payments) => {
			await note('judge', payments);
			return new Map();
		}),
		begin: mocked<'begin'>(async (payments) => {
			await note('begin', payments);
			return { kind: 'begun', claim };
		}),
		storeLeftover: jest.fn(async (payments, leftover) => {
			await note(`store as ${leftover}:`, payments);
		}),
		deleteWithdrawn: jest.fn(async (payments) => {
			await note('delete', payments);
		}),
		hold: jest.fn(async (payments) => {
			await note('hold', payments);
		}),
	};
}

/** A claim whose answers are all written down, until a test says otherwise. */
export function fakeClaim(log: string[]): jest.Mocked<Claim> {
	const write = async (what: string): Promise<boolean> => {
		log.push(what);
		return await Promise.resolve(true);
	};

	return {
		complete: jest.fn(async (state, fundingId) => await write(`complete ${state} ${fundingId}`)),
		withdraw: jest.fn(async () => await write('withdraw')),
		leaveUnconfirmed: jest.fn(async () => await write('leave unconfirmed')),
		addInvoice: jest.fn(async (pdfUrl) => {
			await write(`add ${pdfUrl}`);
		}),
	};
}
