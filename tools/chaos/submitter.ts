import type { Environment } from '../environment';
import type { Credential, NodeSetup, StoredWorkflow } from '../n8n';
import { poll } from '../n8n/poll';
import { partnerPaymentsCredential } from '../payouts/credentials';
import { ageLedger, type LedgerStore } from '../payouts/ledgerStore';
import { itemsOf, partnerPaymentsPayouts, type PayoutRequest } from '../payouts/payout';
import { reportedBy, type ReportedOutcome } from './reported';
import { type FailureMode, type Incident, type Scenario, STORM } from './scenarios';

const POLL_INTERVAL_MS = 40;
/** The longest wait for the executions of a scenario. */
const EXECUTION_TIMEOUT_MS = 600_000;
/** The service's clock jumps so many seconds ahead. */
const CLOCK_JUMP_SECONDS = 3_700;

/** About how many requests a payout needs. */
const REQUESTS_PER_PAYOUT = 2;
/** Different sizes, so that both single fundings and groups meet faults. */
const PAYOUTS_PER_FUNDING: Record<FailureMode, number> = { continue: 5, stop: 20, retry: 1 };

/** The settings of the paying node. */
const FAILURE_SETTINGS: Record<FailureMode, Pick<NodeSetup, 'onError' | 'retryOnFail'>> = {
	continue: { onError: 'continueRegularOutput' },
	stop: {},
	retry: { retryOnFail: { maxTries: 3, waitBetweenTries: 500 } },
};

/** Submits payouts to workflows with this package's node, and collects what their executions report. */
export class Submitter {
	/** What was reported last of each payout, by reference. */
	readonly reported = new Map<string, ReportedOutcome>();

	/** Executions so far, by their final status. */
	readonly executions = new Map<string, number>();

	/** Incidents that came after the end of their execution. */
	missedIncidents = 0;

	private readonly workflows = new Map<FailureMode, { workflow: StoredWorkflow; path: string }>();

	private constructor(
		private readonly environment: Environment,
		private readonly credential: Credential,
	) {}

	/** @param store where the ledger is; the table of a shared one has to be there */
	static async create(environment: Environment, store: LedgerStore): Promise<Submitter> {
		const { n8n, sandbox } = environment;
		const credential = await partnerPaymentsCredential(n8n, sandbox, { store });
		return new Submitter(environment, credential);
	}

	/** Submits the payouts of a scenario, and causes its storm and its incident. */
	async runScenario(scenario: Scenario): Promise<void> {
		const { failureMode, incident, payouts, stormAt, incidentAt } = scenario;
		const ids = await this.start(failureMode, payouts, incident === 'twins' ? 2 : 1);
		const expected = payouts.length * REQUESTS_PER_PAYOUT;
		const causeStorm = async (): Promise<void> => {
			if (await this.reaches(failureMode, stormAt * expected)) {
				await this.control.addFault(STORM);
			}
		};

		const causeIncident = async (): Promise<void> => {
			if (await this.reaches(failureMode, incidentAt * expected)) {
				await this.cause(incident, ids);
			} else if (incident !== 'none') {
				this.missedIncidents += 1;
			}
		};

		if (stormAt < incidentAt) {
			await causeStorm();
			await causeIncident();
		} else {
			await causeIncident();
			await causeStorm();
		}

		await this.collect(ids);
	}

	/** Submits payouts again, to the workflow that had them first. */
	async submit(failureMode: FailureMode, payouts: PayoutRequest[]): Promise<void> {
		const ids = await this.start(failureMode, payouts, 1);
		await this.collect(ids);
	}

	/** Sets every workflow to continue after a failure, so that each payout is reported. */
	async continueOnFailures(): Promise<void> {
		const { n8n } = this.environment;
		for (const { workflow } of this.workflows.values()) {
			await n8n.deactivate(workflow.id);

			const nodes = workflow.nodes.map((node) =>
				node.type.startsWith('n8n-nodes-partner-payments.')
					? { ...node, onError: 'continueRegularOutput' as const }
					: node,
			);

			await n8n.saveWorkflow({ ...workflow, nodes });
			await n8n.activate(workflow.id);
		}
	}

	private get control() {
		return this.environment.sandbox.control;
	}

	/** Starts so many executions with the same payouts at once; returns their ids. */
	private async start(
		failureMode: FailureMode,
		payouts: PayoutRequest[],
		times: number,
	): Promise<string[]> {
		const { n8n } = this.environment;
		const { workflow, path } = await this.workflowFor(failureMode);
		const before = n8n.database.executionIds(workflow.id);
		// After a start of n8n its webhooks come later than its API.
		const call = async (): Promise<true> =>
			await poll(`the webhook of workflow ${workflow.id}`, async () => {
				const { status } = await n8n.client.callWebhook(path, { items: itemsOf(payouts) });
				if (status !== 200 && status !== 404) {
					throw new Error(`n8n answered ${status}`);
				}

				return status === 200 ? true : undefined;
			});

		await Promise.all(Array.from({ length: times }, call));

		const ids = n8n.database.executionIds(workflow.id).filter((id) => !before.includes(id));
		if (ids.length !== times) {
			throw new Error(`${ids.length} executions were started`);
		}

		return ids;
	}

	private async workflowFor(failureMode: FailureMode) {
		const { n8n, sandbox } = this.environment;
		const known = this.workflows.get(failureMode);
		if (known !== undefined) {
			return known;
		}

		const created = await n8n.publish((webhookPath) =>
			partnerPaymentsPayouts({
				webhookPath,
				answer: 'started',
				workspaceId: sandbox.workspaceId,
				credential: this.credential,
				payoutsPerFunding: PAYOUTS_PER_FUNDING[failureMode],
				...FAILURE_SETTINGS[failureMode],
			}),
		);

		this.workflows.set(failureMode, created);
		return created;
	}

	/**
	 * Waits until the sandbox has got so many requests since its log was cleared; returns false when the
	 * executions of a workflow end before.
	 */
	private async reaches(failureMode: FailureMode, requests: number): Promise<boolean> {
		const { database } = this.environment.n8n;
		const { workflow } = await this.workflowFor(failureMode);
		return await poll(
			`${requests} requests`,
			async () => {
				const received = await this.control.requests();
				if (received.length >= requests) {
					return true;
				}

				const started = database.executionIds(workflow.id);
				const hasEnded = database.countEnded(workflow.id) === started.length;
				return hasEnded ? false : undefined;
			},
			{ intervalMs: POLL_INTERVAL_MS, timeoutMs: EXECUTION_TIMEOUT_MS },
		);
	}

	private async cause(incident: Incident, ids: string[]): Promise<void> {
		const { n8n } = this.environment;
		const actions: Partial<Record<Incident, () => Promise<unknown>>> = {
			kill: async () => {
				await n8n.crash();
				ageLedger(n8n);
			},
			cancel: async () => await Promise.all(ids.map(async (id) => await n8n.executions.stop(id))),
			tokens: async () => await this.control.expireTokens(),
			clock: async () => await this.control.advanceClock(CLOCK_JUMP_SECONDS),
		};

		await actions[incident]?.();
	}

	private async collect(ids: string[]): Promise<void> {
		for (const id of ids) {
			const execution = await this.environment.n8n.executions.finished(id);
			const { status } = execution;
			this.executions.set(status, (this.executions.get(status) ?? 0) + 1);

			for (const [reference, outcome] of reportedBy(execution)) {
				this.reported.set(reference, outcome);
			}
		}
	}
}
