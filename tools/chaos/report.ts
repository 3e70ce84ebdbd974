import type { Program } from '../bench/program';
import { listed } from '../bench/statistics';
import { countedBy } from './group';
import type { Ordeal } from './ordeal';
import {
	casesOf,
	type Case,
	isCutOff,
	isInDoubt,
	isPaidTwice,
	isSaidPaid,
	isStruck,
	type Judgement,
} from './verdict';

/** Payouts that are named when a promise is broken. */
const MOST_NAMES = 10;

type Row = [what: string, figure: (ordeal: Ordeal) => string | number];

const count = (
	ordeal: Ordeal,
	fits: (one: Case) => boolean,
	when: 'first' | 'last' = 'last',
): number => casesOf(ordeal, when).filter(fits).length;

const isPaid = ({ fate }: Case): boolean => fate.paid.length > 0;
const isHidden = ({ fate }: Case): boolean => fate.fundings.some((one) => one.isAbandoned);
/** Payables beside those that were paid, or would have to be. */
const surplus = ({ fate: { paid, leftOver } }: Case): number =>
	Math.max(0, leftOver.length - (paid.length > 0 ? 0 : 1));

const isFailed = ({ said }: Case): boolean => said?.status === 'failed';
const isUnexplained = (one: Case): boolean => isInDoubt(one) && !isStruck(one);

/** How many there are of each, by the incident of their run. */
const byIncident = (ordeal: Ordeal, fits: (one: Case) => boolean): string =>
	listed(
		countedBy(
			casesOf(ordeal)
				.filter(fits)
				.map(({ incident }) => incident),
		),
	);

/** Requests that were answered otherwise than the service would have, by what struck them. */
const struck = ({ last }: Ordeal): string => {
	const faults = last.truth.requests.flatMap(({ faults, status }) =>
		faults
			.filter((kind) => kind !== 'latency')
			.map((kind) => (kind === 'status' ? `status ${status ?? 'none'}` : kind)),
	);
	return listed(countedBy(faults));
};

const rows: Row[] = [
	['Payouts, each for a vendor of its own', (ordeal) => casesOf(ordeal).length],
	['  executions, by how they ended', ({ executions }) => listed(executions)],
	['  incidents that came too late', ({ missed }) => missed],
	['  requests', ({ last }) => last.truth.requests.length],
	['  of them struck by a fault', struck],
	['After the first submission', () => ''],
	['  said to be paid', (ordeal) => count(ordeal, isSaidPaid, 'first')],
	[
		'  paid, but reported as failed',
		(ordeal) => count(ordeal, (one) => isPaid(one) && isFailed(one), 'first'),
	],
	[
		'  paid, but not reported at all',
		(ordeal) => count(ordeal, (one) => isPaid(one) && one.said === undefined, 'first'),
	],
	['  in doubt', (ordeal) => count(ordeal, isInDoubt, 'first')],
	['  failed', (ordeal) => count(ordeal, isFailed, 'first')],
	['In the end: submitted again, times', ({ rounds }) => rounds],
	['  vendors paid twice or more often', (ordeal) => count(ordeal, isPaidTwice)],
	['    by what happened to their run', (ordeal) => byIncident(ordeal, isPaidTwice)],
	['  vendors paid once', (ordeal) => count(ordeal, ({ fate }) => fate.paid.length === 1)],
	['  vendors not paid', (ordeal) => count(ordeal, ({ fate }) => fate.paid.length === 0)],
	['  said to be paid', (ordeal) => count(ordeal, isSaidPaid)],
	['  in doubt', (ordeal) => count(ordeal, isInDoubt)],
	['    paid in truth', (ordeal) => count(ordeal, (one) => isInDoubt(one) && isPaid(one))],
	[
		"    a fault kept the funding's answer back",
		(ordeal) => count(ordeal, (one) => isInDoubt(one) && isStruck(one)),
	],
	[
		'    n8n was killed or stopped, between claim and answer',
		(ordeal) => count(ordeal, (one) => isUnexplained(one) && isCutOff(one)),
	],
	[
		'      by what happened to their run',
		(ordeal) => byIncident(ordeal, (one) => isUnexplained(one) && isCutOff(one)),
	],
	[
		'      of them: asked for and answered',
		(ordeal) => count(ordeal, (one) => isUnexplained(one) && isPaid(one) && !isHidden(one)),
	],
	[
		'      of them: asked for, and nobody there for the answer',
		(ordeal) => count(ordeal, (one) => isUnexplained(one) && isHidden(one)),
	],
	[
		'      of them: never asked for',
		(ordeal) => count(ordeal, (one) => isUnexplained(one) && one.fate.fundings.length === 0),
	],
	['    for no reason', (ordeal) => count(ordeal, (one) => isUnexplained(one) && !isCutOff(one))],
	['  failed', (ordeal) => count(ordeal, isFailed)],
	['  never reported', (ordeal) => count(ordeal, ({ said }) => said === undefined)],
	[
		'  payables that nobody needs',
		(ordeal) => casesOf(ordeal).reduce((sum, one) => sum + surplus(one), 0),
	],
	[
		'    payouts that left some, by what happened to their run',
		(ordeal) => byIncident(ordeal, (one) => surplus(one) > 0),
	],
	['  sum of the ledger', ({ last }) => last.truth.ledgerSum],
];

/** Adds what the ways have gone through to the table, one column each. */
export function showOrdeals(program: Program, ordeals: Ordeal[]): void {
	for (const [what, figure] of rows) program.row(what, ...ordeals.map(figure));
}

/** Says which promises were kept; true when all were. */
export function showJudgements(judgements: Judgement[]): boolean {
	for (const { promise, broken } of judgements) {
		const isKept = broken.length === 0;
		console.log(isKept ? `kept    ${promise}` : `BROKEN  ${promise}: ${broken.length} times`);
		for (const words of broken.slice(0, MOST_NAMES)) console.log(`          ${words}`);
	}
	return judgements.every(({ broken }) => broken.length === 0);
}
