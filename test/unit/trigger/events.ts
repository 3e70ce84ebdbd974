import type { EventKind } from '../../../nodes/PartnerPayments/api/endpoints';
import { parseEvents } from '../../../nodes/PartnerPayments/trigger/eventParsing';

/** No identifiers of the user's own. */
export const NONE = new Map<string, EventKind>();

export const PAYABLE = {
	id: 'payable-1',
	status: 'paid',
	amount: 1999,
	payee_email: 'ana@example.com',
};

export const PARTNER = { id: 'partner-1', status: 'verified', business_name: 'Ana Ltd' };

/** The kinds of the events in a body. */
export const kinds = (body: unknown, identifiers = NONE): EventKind[] =>
	parseEvents(body, identifiers).map(({ kind }) => kind);
