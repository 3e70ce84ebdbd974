import { isForbidden } from '../../service/http/networkFailure';
import { serviceMessage } from '../../service/http/serviceMessage';
import { LedgerError } from '../ledger';
import type { ApiAnswer } from './apiRequest';

/** The scopes that the API key of the ledger needs. */
const SCOPES = [
	'dataTable:list',
	'dataTable:create',
	'dataTableRow:read',
	'dataTableRow:create',
	'dataTableRow:update',
	'dataTableRow:delete',
] as const;

const CHECK_URL = 'Check the Base URL of the Partner Payments Ledger API credential.';
const CREATE_KEY =
	'Create an API key in n8n under Settings, n8n API, as the same user as before, and enter it in the Partner Payments Ledger API credential. The key of another user may not see the ledger. Or the Base URL of the credential is that of another n8n.';

/** For a table that cannot be used as it is. */
export const KEEP_TABLE =
	'Do not take a new table in its place: it knows nothing of what was paid, and would pay it again.';

/** For a table that is gone. */
export const RESTORE_TABLE = `Have the table restored from a backup of n8n's database. ${KEEP_TABLE} Without a backup, compare with the fundings of the service first, and send nothing that is among them or that the operator cannot rule out.`;

/** The table was deleted. */
export class MissingTableError extends LedgerError {}

/** The error for an answer that no n8n gives. */
export const notAnN8nError = (): LedgerError =>
	new LedgerError(
		'What answers at the address of the payout ledger is not an n8n',
		'Check the Base URL of the Partner Payments Ledger API credential: the address at which this n8n itself can be reached, such as http://localhost:5678.',
	);

/** The error for an n8n that does not answer. */
export const unreachableError = (host: string, reason: string): LedgerError =>
	new LedgerError(
		`The payout ledger at ${host} cannot be reached: ${reason}`,
		`${CHECK_URL} It is the address at which this n8n itself can be reached, such as http://localhost:5678. Another n8n knows nothing of what was paid.`,
	);

/** The error for an address that n8n's protection against server-side request forgery forbids. */
export function blockedError(error: unknown, host: string): LedgerError | undefined {
	if (!isForbidden(error)) return undefined;
	return new LedgerError(
		`n8n does not allow requests to the payout ledger at ${host}`,
		'Whoever runs this n8n can allow it: N8N_SSRF_ALLOWED_HOSTNAMES for a host name, N8N_SSRF_ALLOWED_IP_RANGES for an address such as 127.0.0.1/32.',
	);
}

/** The error for an answer that is no success. */
export function answerError({ status, body }: ApiAnswer, scope: string, host: string): LedgerError {
	const reason = serviceMessage(body);
	if (status === 401) {
		return new LedgerError(`The n8n at ${host} does not accept the API key`, CREATE_KEY);
	}
	if (status === 403) {
		return new LedgerError(
			`The API key of the payout ledger may not do what it needs (${scope})`,
			`Give the key these scopes: ${SCOPES.join(', ')}. Its user must be allowed to use the Data Table, too. Choose no other table: it knows nothing of what was paid.`,
		);
	}
	if (status === 404) return notFoundError(reason, host);
	if (status === 400 && reason?.includes('size limit exceeded')) {
		return new LedgerError(
			'The Data Tables of this n8n are full, so the payout ledger can keep nothing more',
			'Make room in other Data Tables. Whoever runs this n8n can raise the limit with N8N_DATA_TABLES_MAX_SIZE_BYTES. Delete nothing from the ledger: a payment that it has forgotten can be paid again.',
		);
	}
	return new LedgerError(
		`The payout ledger at ${host} refused a request (status ${status}${reason ? `, ${reason}` : ''})`,
		status >= 500 || status === 429
			? 'Run it again in a moment, with the same unique references.'
			: `Check that the Data Table has the columns of the ledger, with their types. ${KEEP_TABLE}`,
	);
}

function notFoundError(reason: string | undefined, host: string): LedgerError {
	if (reason?.includes('data table')) {
		return new MissingTableError(
			'The Data Table of the payout ledger does not exist any more',
			`Unpublish (deactivate) the workflows that pay with it before one of them runs again. ${RESTORE_TABLE}`,
		);
	}
	return new LedgerError(
		`The n8n at ${host} has no Data Tables in its public API`,
		`${CHECK_URL} If it is right, this n8n is too old or its public API is switched off: let whoever runs it correct that. Change Remember In only where nothing was paid before, since no other store knows of it.`,
	);
}
