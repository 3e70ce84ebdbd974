import { type Execution, NODE_UNDER_TEST, outputItems } from '../n8n';

/** What an execution has reported of a payout. */
export interface ReportedOutcome {
	status: string;
	/** Of a duplicate: what the first payout with its reference came to. */
	firstStatus: string | undefined;
	payableId: string | undefined;
	error: string | undefined;
}

/** n8n keeps no data of executions that were killed. */
const STATUSES_WITH_DATA: string[] = ['success', 'error', 'canceled'];

/** What an execution has reported, by reference; empty when its node has no output. */
export function reportedBy(execution: Execution): Map<string, ReportedOutcome> {
	const hasData = STATUSES_WITH_DATA.includes(execution.status);
	const items = hasData ? outputItems(execution, NODE_UNDER_TEST) : [];
	return outcomesOf(items.map(({ json }) => json));
}

/** What the data of items says of payouts, by reference. */
export const outcomesOf = (items: Array<Record<string, unknown>>): Map<string, ReportedOutcome> =>
	new Map(
		items.map((json) => [
			String(json['unique_reference']),
			{
				status: String(json['status']),
				firstStatus: textOf(json['first_status']),
				payableId: textOf(json['payable_id']),
				error: textOf(json['error']),
			},
		]),
	);

/** The status of every payout, as text that can be compared. */
export const statusesOf = (reported: Map<string, ReportedOutcome>): string =>
	JSON.stringify([...reported].map(([reference, { status }]) => [reference, status]).sort());

const textOf = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;
