import { stringOrEmpty } from '../../nodes/PartnerPayments/shared/typeGuards';
import { countValues, formatCounts } from '../statistics';
import type { Played } from './round';
import type { Truth } from './truth';

/** How many broken rounds end the run. */
const MAX_BROKEN = 5;

/** What the rounds of a run have led to. */
export class Figures {
	private readonly faults: string[] = [];
	private readonly tasks: string[] = [];
	private readonly statuses: string[] = [];
	private readonly answers: string[] = [];
	private rounds = 0;
	private broken = 0;

	get isClean(): boolean {
		return this.broken === 0;
	}

	/** Whether enough rounds are broken. */
	get isFull(): boolean {
		return this.broken >= MAX_BROKEN;
	}

	addFault(name: string): void {
		this.faults.push(name);
	}

	/** Counts a round, and prints the promises that it has broken. */
	addRound(played: Played, truth: Truth, violations: string[]): void {
		this.rounds += 1;
		for (const { task, result } of played.done) {
			this.tasks.push(result.kind === 'died' ? `${task.work.kind}, killed` : task.work.kind);
			if (task.work.kind === 'send' && result.kind === 'ended') {
				this.statuses.push(...result.items.map(({ status }) => stringOrEmpty(status)));
			}
		}

		for (const { isTrue, work } of played.decisions) {
			this.answers.push(`${work.outcome}${isTrue ? '' : ', falsely'}`);
		}

		if (violations.length === 0) {
			return;
		}

		this.broken += 1;
		const { seed } = played.plan;
		console.log(`BROKEN  round ${played.index}; again: npm run test:fuzz -- 1 ${seed}`);
		for (const violation of violations) {
			console.log(`        ${violation}`);
		}

		if (process.env['FUZZ_DETAILS'] !== undefined) {
			printDetails(played, truth);
		}
	}

	report(truth: Truth): void {
		const { fundings, payables } = truth;
		const ofPayables = fundings.flatMap(({ payableIds, isCanceled }) =>
			isCanceled ? [] : payableIds,
		);
		const repeated = [...countValues(ofPayables).values()].filter((count) => count > 1);
		const rows: Array<[string, string | number]> = [
			['Rounds', this.rounds],
			['Rounds that broke a promise', this.broken],
			['Executions', formatCounts(countValues(this.tasks))],
			['Payouts, by status', formatCounts(countValues(this.statuses))],
			['Payables', payables.size],
			['Fundings', fundings.length],
			[
				'Fundings whose invoice was canceled',
				fundings.filter(({ isCanceled }) => isCanceled).length,
			],
			['Fundings whose deposit was linked', fundings.filter(({ isLinked }) => isLinked).length],
			['Payables funded again after a false "Not Paid"', repeated.length],
			['Answers of persons', formatCounts(countValues(this.answers))],
			['Faults', formatCounts(countValues([...this.faults].sort()))],
		];
		for (const [what, figure] of rows) {
			console.log(`${what}: ${figure}`);
		}
	}
}

function printDetails({ plan, done, rows, index }: Played, truth: Truth): void {
	console.log(JSON.stringify({ ...plan, waves: undefined }));
	for (const { task, result } of done) {
		console.log(task.id, JSON.stringify(task.work), JSON.stringify(result));
	}

	for (const row of rows) {
		const { id, reference, state, payee, payable_id: payable, funding_id: funding } = row;
		console.log(
			'row',
			id,
			reference,
			state,
			payee,
			row.amount_cents,
			payable,
			funding,
			row.claim,
			row.execution,
		);
	}

	for (const payable of truth.payablesOf(index)) {
		console.log('payable', JSON.stringify(payable));
	}

	for (const funding of truth.fundings.filter(({ round }) => round === index)) {
		console.log('funding', JSON.stringify(funding));
	}
}
