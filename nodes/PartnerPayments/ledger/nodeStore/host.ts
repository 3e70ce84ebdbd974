import { sleep, type DeduplicationHelperFunctions, type IExecuteFunctions } from 'n8n-workflow';

import { reject } from '../../shared/inputError';
import { LedgerError } from '../ledger';

/** Pauses before a statement of the database is tried again. */
const RETRY_PAUSES_MS = [50, 200, 800];

/** What the ledger needs of an execution. */
export interface LedgerHost extends Pick<
	IExecuteFunctions,
	'getNode' | 'getParentNodes' | 'getWorkflow' | 'getWorkflowStaticData'
> {
	helpers: DeduplicationHelperFunctions;
}

/**
 * What tells a workflow from all others of this n8n.
 *
 * @throws InputError when it was never saved, so that n8n could keep nothing for it
 */
const workflowIdentity = (n8n: LedgerHost): string =>
	n8n.getWorkflow().id ||
	reject(
		'A unique reference needs a workflow that was saved',
		'Save the workflow, then run it again: its references are kept with it.',
	);

/** What tells a node from all others of this n8n, whatever it is renamed to. */
export const nodeIdentity = (n8n: LedgerHost): string =>
	JSON.stringify([workflowIdentity(n8n), n8n.getNode().id]);

/** The mutex of those that change keys of a workflow in this process. */
export const keyMutex = (n8n: LedgerHost): string => `processLock ${workflowIdentity(n8n)}`;

/**
 * Makes a statement of the database that may be repeated, again when it fails.
 *
 * @throws LedgerError when it fails every time
 */
export async function withRetries<Result>(statement: () => Promise<Result>): Promise<Result> {
	for (const pauseMs of RETRY_PAUSES_MS) {
		try {
			return await statement();
		} catch {
			await sleep(pauseMs);
		}
	}
	return await statement().catch((error: unknown) => {
		throw databaseError(error);
	});
}

/** The error for a database that fails again and again. n8n replaces messages that hold an error code. */
export const databaseError = (error: unknown): LedgerError =>
	new LedgerError(
		"n8n's database does not keep what was paid",
		`Run it again with the same unique references when the database works. It said: ${error instanceof Error ? error.message : String(error)}.`,
	);
