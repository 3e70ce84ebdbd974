import { UNLIMITED } from '../payouts/credentials';
import { prepare } from '../payouts/payout';
import type { Contender, Place, Said } from './contenders';
import { type Run, standingFaults } from './plan';
import { Submitter } from './submitter';
import { readTruth, takeRequests, type Truth } from './truth';

/** How often payouts are submitted again, at most. */
const MOST_ROUNDS = 6;

/** What a way of paying has gone through. */
export interface Ordeal {
	runs: Run[];
	/** What was said last of each payout after it was submitted once, and what was true then. */
	first: { said: Map<string, Said>; truth: Truth };
	/** The same in the end. */
	last: { said: Map<string, Said>; truth: Truth };
	/** How often everything was submitted again until nothing changed any more. */
	rounds: number;
	/** Whether nothing changed any more in the last round. */
	isSettled: boolean;
	/** Executions by how they ended. */
	executions: Map<string, number>;
	/** Incidents that came too late. */
	missed: number;
}

/** Whom to submit again: everything, or what is not reported as paid. */
export type Resubmission = 'all' | 'unpaid';

/**
 * Puts a way of paying through all runs, then submits again, once under the same faults and then
 * without any, until nothing changes. The sandbox begins anew.
 */
export async function goThrough(
	place: Place,
	make: (place: Place) => Promise<Contender>,
	runs: Run[],
	seed: number,
	resubmission: Resubmission,
): Promise<Ordeal> {
	const { control } = place.sandbox;
	const payouts = runs.flatMap((run) => run.payouts);
	await control.reset();
	await control.setRequestsPerMinute(UNLIMITED);
	await prepare(place.sandbox, payouts);
	const submitter = new Submitter(place, await make(place));
	const requests = await takeRequests(control);
	const truth = async (): Promise<Truth> => {
		requests.push(...(await takeRequests(control)));
		return await readTruth(control, payouts, [...requests]);
	};

	for (const fault of standingFaults(seed)) await control.addFault(fault);
	for (const run of runs) {
		await submitter.endure(run);
		requests.push(...(await takeRequests(control)));
	}
	const first = { said: new Map(submitter.said), truth: await truth() };

	let rounds = 0;
	let isSettled = false;
	while (!isSettled && rounds < MOST_ROUNDS) {
		rounds += 1;
		const before = summary(submitter.said);
		for (const { setting, payouts: all } of runs) {
			const again = all.filter(
				({ reference }) =>
					resubmission === 'all' || submitter.said.get(reference)?.status !== 'paid',
			);
			if (again.length > 0) await submitter.submit(setting, again);
		}
		isSettled = rounds > 2 && summary(submitter.said) === before;
		requests.push(...(await takeRequests(control)));
		if (rounds > 1) continue;
		await control.clearFaults();
		await submitter.goOnAfterFailures();
	}
	const { said, executions, missed } = submitter;
	return {
		runs,
		first,
		last: { said, truth: await truth() },
		rounds,
		isSettled,
		executions,
		missed,
	};
}

/** What is said of all payouts, so that it can be compared. */
const summary = (said: Map<string, Said>): string =>
	JSON.stringify([...said].map(([reference, { status }]) => [reference, status]).sort());
