import type { Payout } from '../payouts/payout';
import type { Said } from './contenders';
import type { Ordeal } from './ordeal';
import type { Incident } from './plan';
import type { Fate } from './truth';

/** One payout in the end: what was said of it, and what is true. */
export interface Case {
	payout: Payout;
	incident: Incident;
	said: Said | undefined;
	fate: Fate;
}

/** A promise of the package, and the payouts for which it was not kept, in words. */
export interface Judgement {
	promise: string;
	broken: string[];
}

/** What is said of a payout that is done. */
const PAID = ['funded', 'duplicate', 'paid'];
/** After these an execution may not know what came of its fundings. */
const CUTTING: Incident[] = ['kill', 'cancel'];

/** Brings together what was said and what is true, in the end or after the first submission. */
export function casesOf({ runs, ...ordeal }: Ordeal, when: 'first' | 'last' = 'last'): Case[] {
	const { said, truth } = ordeal[when];
	return runs.flatMap(({ payouts, incident }) =>
		payouts.map((payout) => {
			const fate = truth.fates.get(payout.reference);
			if (fate === undefined) throw new Error(`Nothing is known of ${payout.reference}`);
			return { payout, incident, said: said.get(payout.reference), fate };
		}),
	);
}

export const isSaidPaid = ({ said }: Case): boolean => PAID.includes(said?.status ?? '');
export const isInDoubt = ({ said }: Case): boolean => said?.status === 'in_doubt';
export const isPaidTwice = ({ fate }: Case): boolean => fate.paid.length > 1;
/** A fault has kept back the answer to one of its fundings. */
export const isStruck = ({ fate }: Case): boolean => fate.fundings.some((one) => one.isStruck);
/** Its execution was cut off, so that an answer need not have been heard or remembered. */
export const isCutOff = ({ incident }: Case): boolean => CUTTING.includes(incident);
/** n8n that is alive knows what it has not sent. */
const mayBeInDoubt = ({ incident, fate }: Case): boolean =>
	incident === 'kill' || (incident === 'cancel' && fate.fundings.length > 0);
/** What is said of it names the payable that was, or may have been, paid. */
const namesPayable = ({ said, fate }: Case): boolean =>
	said?.payableId !== undefined &&
	(fate.paid.includes(said.payableId) || fate.leftOver.includes(said.payableId));

/** A payout with what was said of it. */
const inWords = ({ payout, said }: Case): string =>
	[payout.reference, said?.status ?? 'not reported', said?.error].filter(Boolean).join(': ');

/** Judges how payouts with this package's node have ended. */
export function judge(ordeal: Ordeal): Judgement[] {
	const cases = casesOf(ordeal);
	const where = (isBroken: (one: Case) => boolean): string[] => cases.filter(isBroken).map(inWords);
	const isSure = (one: Case): boolean => isSaidPaid(one) || isInDoubt(one);
	return [
		{ promise: 'No vendor is paid twice', broken: where(isPaidTwice) },
		{
			promise: 'No money is made or lost',
			broken: [
				...(ordeal.last.truth.ledgerSum === 0 ? [] : ['the ledger']),
				...where(({ fate }) => !fate.isBalanced),
			],
		},
		{
			promise: 'Every payout ends as paid or in doubt',
			broken: where((one) => !isSure(one)),
		},
		{
			promise: 'What is said to be paid is paid',
			broken: where((one) => isSaidPaid(one) && one.fate.paid.length !== 1),
		},
		{
			promise: 'What is paid or in doubt names its payable, unless n8n was cut off',
			broken: where((one) => isSure(one) && !isCutOff(one) && !namesPayable(one)),
		},
		{
			promise: 'What had the answer to its funding kept back is in doubt',
			broken: where((one) => isStruck(one) && !isInDoubt(one)),
		},
		{
			promise: 'Nothing else is in doubt, unless n8n was killed, or stopped while it was asked for',
			broken: where((one) => isInDoubt(one) && !isStruck(one) && !mayBeInDoubt(one)),
		},
		{
			promise: 'Nothing changes any more when all is submitted again',
			broken: ordeal.isSettled ? [] : ['what is said'],
		},
	];
}
