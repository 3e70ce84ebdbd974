import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { StoredWorkflow } from '../n8n';
import { itemsOf, type Payout } from '../payouts/payout';
import type { Contender, Place, Said } from './contenders';
import { type Incident, type Run, type Setting, STORM } from './plan';

const POLL_MS = 40;
const PATIENCE_MS = 60_000;
/** The service's clock jumps so many seconds ahead. */
const JUMP_SECONDS = 3_700;

/** Executions that were started with the same payouts. */
interface Started {
	ids: string[];
}

/** Submits payouts to one way of paying, in production, and collects what its executions say. */
export class Submitter {
	/** What was said last of each payout, by reference. */
	readonly said = new Map<string, Said>();

	/** Executions so far, by how they ended. */
	readonly executions = new Map<string, number>();

	/** Incidents that found the execution at its end already. */
	missed = 0;

	private readonly workflows = new Map<Setting, { workflow: StoredWorkflow; path: string }>();

	constructor(
		private readonly place: Place,
		private readonly contender: Contender,
	) {}

	/** Submits the payouts of a run, and lets its storm and its incident come. */
	async endure(run: Run): Promise<void> {
		const { setting, incident, payouts } = run;
		const started = await this.start(setting, payouts, incident === 'twins' ? 2 : 1);
		const expected = payouts.length * this.contender.requestsPerPayout;
		const storm = async (): Promise<void> => {
			if (await this.until(started, run.stormAt * expected)) await this.control.addFault(STORM);
		};
		const strike = async (): Promise<void> => {
			if (await this.until(started, run.incidentAt * expected)) {
				await this.happen(incident, started);
			} else if (incident !== 'none') {
				this.missed += 1;
			}
		};
		const inOrder = run.stormAt < run.incidentAt ? [storm, strike] : [strike, storm];
		for (const happen of inOrder) await happen();
		await this.collect(started);
	}

	/** Submits payouts again, to the workflow that had them first. */
	async submit(setting: Setting, payouts: Payout[]): Promise<void> {
		await this.collect(await this.start(setting, payouts, 1));
	}

	/** Sets every workflow to go on after a failure, so that each payout is told of. */
	async goOnAfterFailures(): Promise<void> {
		const { n8n } = this.place;
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
		return this.place.sandbox.control;
	}

	/** Starts so many executions with the same payouts at once. */
	private async start(setting: Setting, payouts: Payout[], times: number): Promise<Started> {
		const { n8n } = this.place;
		const { workflow, path } = await this.workflowOf(setting);
		const before = n8n.database.executionIds(workflow.id);
		const call = async (): Promise<void> => {
			const deadline = Date.now() + PATIENCE_MS;
			for (;;) {
				const { status } = await n8n.client.callWebhook(path, { items: itemsOf(payouts) });
				if (status === 200) return;
				// After a start of n8n its webhooks come later than its API.
				if (status !== 404 || Date.now() > deadline) throw new Error(`n8n answered ${status}`);
				await delay(POLL_MS);
			}
		};
		await Promise.all(Array.from({ length: times }, call));
		const ids = n8n.database.executionIds(workflow.id).filter((id) => !before.includes(id));
		if (ids.length !== times) throw new Error(`${ids.length} executions were started`);
		return { ids };
	}

	private async workflowOf(setting: Setting) {
		const { n8n } = this.place;
		const known = this.workflows.get(setting);
		if (known !== undefined) return known;
		const path = randomUUID();
		const workflow = await n8n.createWorkflow(this.contender.workflow(setting, path));
		await n8n.activate(workflow.id);
		const made = { workflow, path };
		this.workflows.set(setting, made);
		return made;
	}

	/** Waits for so many requests since the log was emptied; false when the executions ended before. */
	private async until({ ids }: Started, requests: number): Promise<boolean> {
		for (;;) {
			if ((await this.control.requests()).length >= requests) return true;
			const executions = await Promise.all(
				ids.map(async (id) => await this.place.n8n.executions.get(id)),
			);
			if (executions.every(({ status }) => !['new', 'running'].includes(status))) return false;
			await delay(POLL_MS);
		}
	}

	private async happen(incident: Incident, { ids }: Started): Promise<void> {
		const { n8n } = this.place;
		const incidents: Record<Incident, () => Promise<unknown>> = {
			none: async () => await Promise.resolve(),
			twins: async () => await Promise.resolve(),
			kill: async () => await n8n.crash(),
			cancel: async () => await Promise.all(ids.map(async (id) => await n8n.executions.stop(id))),
			tokens: async () => await this.control.expireTokens(),
			clock: async () => await this.control.advanceClock(JUMP_SECONDS),
		};
		await incidents[incident]();
	}

	private async collect({ ids }: Started): Promise<void> {
		for (const id of ids) {
			const execution = await this.place.n8n.executions.finished(id);
			const { status } = execution;
			this.executions.set(status, (this.executions.get(status) ?? 0) + 1);
			for (const [reference, said] of this.contender.said(execution)) {
				this.said.set(reference, said);
			}
		}
	}
}
