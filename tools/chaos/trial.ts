import type { Environment } from '../environment';
import { UNLIMITED } from '../payouts/credentials';
import type { LedgerStore } from '../payouts/ledgerStore';
import { addPayees } from '../payouts/payout';
import { drainRequests, readResults } from './actual';
import { statusesOf } from './reported';
import { backgroundFaults, type Scenario } from './scenarios';
import { Submitter } from './submitter';

/** How often payouts are submitted again, at most. */
const MAX_ROUNDS = 6;

/** What all scenarios have led to. */
export type Trial = Awaited<ReturnType<typeof runTrial>>;

/**
 * Runs all scenarios with the ledger in a store, then submits the payouts again, once under the same
 * faults and then without any, until nothing changes. Resets the sandbox first.
 */
export async function runTrial(
	environment: Environment,
	store: LedgerStore,
	scenarios: Scenario[],
	seed: number,
) {
	const { control } = environment.sandbox;
	const submitted = scenarios.flatMap((scenario) =>
		scenario.payouts.map((payout) => ({ payout, incident: scenario.incident })),
	);

	await control.reset();
	await control.setSettings({ requestsPerMinute: UNLIMITED });

	const payouts = submitted.map(({ payout }) => payout);
	await addPayees(environment.sandbox, payouts);

	const submitter = await Submitter.create(environment, store);
	const requests = await drainRequests(control);

	for (const fault of backgroundFaults(seed)) {
		await control.addFault(fault);
	}

	for (const scenario of scenarios) {
		await submitter.runScenario(scenario);

		const further = await drainRequests(control);
		requests.push(...further);
	}

	let rounds = 0;
	let isSettled = false;
	while (!isSettled && rounds < MAX_ROUNDS) {
		rounds += 1;

		const before = statusesOf(submitter.reported);
		await submitAgain(submitter, scenarios);

		const after = statusesOf(submitter.reported);
		isSettled = rounds > 2 && after === before;

		const further = await drainRequests(control);
		requests.push(...further);
		if (rounds === 1) {
			await control.clearFaults();
			await submitter.continueOnFailures();
		}
	}

	const { reported, executions, missedIncidents } = submitter;
	const results = await readResults(control, submitted, reported, requests);
	return {
		...results,
		requests,
		/** How often everything was submitted again. */
		rounds,
		/** Whether the last round has changed nothing. */
		isSettled,
		/** Executions by their final status. */
		executions,
		/** Incidents that came after the end of their execution. */
		missedIncidents,
	};
}

/** Submits the payouts of all scenarios again, in one execution for each way to fail. */
async function submitAgain(submitter: Submitter, scenarios: Scenario[]): Promise<void> {
	for (const [failureMode, those] of Map.groupBy(scenarios, (scenario) => scenario.failureMode)) {
		const payouts = those.flatMap((scenario) => scenario.payouts);
		await submitter.submit(failureMode, payouts);
	}
}
