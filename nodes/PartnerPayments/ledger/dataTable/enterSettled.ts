import { randomUUID } from 'crypto';

import { InputError } from '../../shared/inputError';
import { isSettled, type Claim, type ClaimedEntry } from '../ledger';
import { enteringRow } from './enterReferences';
import { keyOf, valuesOf } from './row';
import type { TableRun } from './tableRun';

/**
 * Enters what the node has settled by itself, so that the others who use the table know it too. What
 * is in the table already stays as it is there.
 *
 * @param known how claims stand that the node's own store knows
 */
export async function enterSettled(
	run: TableRun,
	known: Map<Claim, ClaimedEntry | InputError>,
): Promise<void> {
	const { kind } = run.scope;
	const batch = randomUUID();
	const rows = [...known].flatMap(([claim, entry]) =>
		entry instanceof InputError || !isSettled(entry.state, kind)
			? []
			: { ...enteringRow(run, claim, batch), ...valuesOf(entry), run: '' },
	);
	const references = rows.map(({ reference }) => reference);
	const present = new Set((await run.rows.readAny('reference', references)).map(keyOf));
	await run.rows.insert(
		rows.filter((row) => !present.has(keyOf(row))),
		batch,
	);
}
