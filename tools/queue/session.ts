import { chunk } from '../../nodes/PartnerPayments/shared/lists';
import type { LoggedRequest, Sandbox } from '../../sandbox/client';
import { drainRequests, readResults, type Results } from '../chaos/actual';
import { outcomesOf, type ReportedOutcome, statusesOf } from '../chaos/reported';
import type { Incident } from '../chaos/scenarios';
import { type CredentialSettings, partnerPaymentsCredential } from '../payouts/credentials';
import {
	addPayees,
	itemsOf,
	makePayouts,
	partnerPaymentsPayouts,
	type PayoutRequest,
} from '../payouts/payout';
import type { QueueCluster } from './cluster';

/** How often payouts are submitted again, at most. */
const MAX_RESUBMISSIONS = 8;
/** Payouts of one execution when all are submitted again. */
const RESUBMISSION_SIZE = 250;
/** An n8n, and what serves its production webhooks. */
type PayingHost = Pick<QueueCluster, 'n8n' | 'webhooks'>;

/** What makes the payouts of one scenario: a workflow of its own, called through the webhook processors. */
export class Session<Host extends PayingHost = QueueCluster> {
	/** All payouts so far. */
	readonly payouts: PayoutRequest[] = [];

	/** What was reported last of each payout, by reference. */
	readonly reported = new Map<string, ReportedOutcome>();

	private readonly requests: LoggedRequest[] = [];

	private submissions = 0;

	private constructor(
		readonly cluster: Host,
		readonly sandbox: Sandbox,
		private readonly path: string,
	) {}

	/**
	 * Creates and activates the workflow.
	 *
	 * @param payoutsPerFunding few, so that a batch is funded by several requests
	 */
	static async open<Host extends PayingHost>(
		cluster: Host,
		sandbox: Sandbox,
		options: CredentialSettings = {},
		payoutsPerFunding = 10,
	): Promise<Session<Host>> {
		const { n8n } = cluster;
		const credential = await partnerPaymentsCredential(n8n, sandbox, options);
		const { path } = await n8n.publish((webhookPath) =>
			partnerPaymentsPayouts({
				webhookPath,
				answer: 'allEntries',
				credential,
				workspaceId: sandbox.workspaceId,
				onError: 'continueRegularOutput',
				payoutsPerFunding,
			}),
		);

		return new Session(cluster, sandbox, path);
	}

	/** New payouts, whose vendors can be paid. */
	async add(count: number): Promise<PayoutRequest[]> {
		const payouts = makePayouts(`${this.path}-${this.payouts.length}`, count);
		await addPayees(this.sandbox, payouts);
		this.payouts.push(...payouts);
		return payouts;
	}

	/** Submits payouts in one execution, by one webhook processor and the other in turn, and waits for its end. */
	async submit(payouts: PayoutRequest[]): Promise<void> {
		const { webhooks } = this.cluster;
		const webhook = webhooks[this.submissions % webhooks.length];
		this.submissions += 1;
		if (webhook === undefined) {
			throw new Error('There is no webhook processor');
		}

		const { status, data } = await webhook.callWebhook(this.path, { items: itemsOf(payouts) });
		if (status !== 200 || !Array.isArray(data)) {
			return;
		}

		const items = data as Array<Record<string, unknown>>;
		for (const [reference, outcome] of outcomesOf(items)) {
			this.reported.set(reference, outcome);
		}
	}

	/** Submits all payouts again, until nothing changes; returns whether that was reached. */
	async resubmit(): Promise<boolean> {
		const parts = chunk(this.payouts, RESUBMISSION_SIZE);
		let resubmissions = 0;
		let before: string;
		do {
			before = statusesOf(this.reported);
			resubmissions += 1;

			// The workers are given executions in turn: so each payout goes to one, and then to the other.
			for (const part of parts.reverse()) {
				await this.submit(part);
			}
		} while (statusesOf(this.reported) !== before && resubmissions < MAX_RESUBMISSIONS);

		return statusesOf(this.reported) === before;
	}

	/** Keeps all requests to the service so far; its own log is cleared. */
	async drain(): Promise<void> {
		const requests = await drainRequests(this.sandbox.control);
		this.requests.push(...requests);
	}

	/** What the payouts have led to, and what happened during all of them, if anything did. */
	async results(incident: Incident = 'none'): Promise<Results> {
		await this.drain();

		const submitted = this.payouts.map((payout) => ({ payout, incident }));
		return await readResults(this.sandbox.control, submitted, this.reported, this.requests);
	}
}
