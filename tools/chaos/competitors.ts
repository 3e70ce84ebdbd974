import type { Environment } from '../environment';
import { type Execution, NODE_UNDER_TEST, outputItems, type Workflow } from '../n8n';
import { oAuth2Credential, partnerPaymentsCredential } from '../payouts/credentials';
import { createLedgerCredential, ledgerParameters, type LedgerStore } from '../payouts/ledgerStore';
import { EACH_PAYOUT, httpRequestPayoutsWithRetries } from '../payouts/httpRequest';
import { partnerPaymentsPayouts } from '../payouts/partnerPayments';
import type { FailureMode } from './scenarios';

/** What an execution has reported of a payout. */
export interface ReportedOutcome {
	status: string;
	/** Of a duplicate: what the first payout with its reference came to. */
	firstStatus: string | undefined;
	payableId: string | undefined;
	error: string | undefined;
}

/** One of the two that make the payouts. */
export interface Competitor {
	/** About how many requests a payout needs. */
	requestsPerPayout: number;
	/** The workflow for a failure mode, which begins with the webhook of the path. */
	workflow: (failureMode: FailureMode, webhookPath: string) => Workflow;
	/** What an execution has reported, by reference; empty when it put out nothing. */
	reported: (execution: Execution) => Map<string, ReportedOutcome>;
}

/** Different sizes, so that both single fundings and groups meet faults. */
const PAYABLES_PER_FUNDING: Record<FailureMode, number> = { continue: 5, stop: 20, retry: 1 };

/** Pays with this package's node, whose ledger is kept in a store. */
export const partnerPayments =
	(store: LedgerStore) =>
	async ({ n8n, sandbox }: Environment): Promise<Competitor> => {
		const credential = await partnerPaymentsCredential(n8n, sandbox);
		const ledgerCredential = await createLedgerCredential(n8n);
		return {
			requestsPerPayout: 2,
			workflow: (failureMode, webhookPath) =>
				partnerPaymentsPayouts({
					webhookPath,
					answer: 'started',
					workspaceId: sandbox.workspaceId,
					credential,
					ledgerCredential,
					parameters: ledgerParameters(store),
					options: { payablesPerFunding: PAYABLES_PER_FUNDING[failureMode] },
					...(failureMode === 'continue' && { onError: 'continueRegularOutput' }),
					...(failureMode === 'retry' && { retryOnFail: { maxTries: 3, waitBetweenTries: 500 } }),
				}),
			reported: (execution) => readReported(execution, NODE_UNDER_TEST, 'unique_reference'),
		};
	};

/** Pays with HTTP Request nodes and n8n's error handling; the failure modes make no difference there. */
export async function httpRequest({ n8n, sandbox }: Environment): Promise<Competitor> {
	const credential = await oAuth2Credential(n8n, sandbox);
	const { apiUrl, workspaceId } = sandbox;
	return {
		requestsPerPayout: 3,
		workflow: (_, webhookPath) =>
			httpRequestPayoutsWithRetries({
				webhookPath,
				answer: 'started',
				apiUrl,
				workspaceId,
				credential,
			}),
		reported: (execution) => readReported(execution, EACH_PAYOUT, 'reference'),
	};
}

function readReported(
	execution: Execution,
	nodeName: string,
	referenceField: string,
): Map<string, ReportedOutcome> {
	const items = STATUSES_WITH_DATA.includes(execution.status)
		? outputItems(execution, nodeName)
		: [];
	return outcomesOf(
		items.map(({ json }) => json),
		referenceField,
	);
}

/** What the data of items says of payouts, by reference. */
export const outcomesOf = (
	items: Array<Record<string, unknown>>,
	referenceField: string,
): Map<string, ReportedOutcome> =>
	new Map(
		items.map((json) => [
			String(json[referenceField]),
			{
				status: String(json['status']),
				firstStatus: textOf(json['first_status']),
				payableId: textOf(json['payable_id']),
				error: textOf(json['error']),
			},
		]),
	);

/** n8n keeps no data of executions that were killed. */
const STATUSES_WITH_DATA: string[] = ['success', 'error', 'canceled'];

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
