import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import { databaseTableOf } from '../../payouts/ledgerStore';
import { makePayouts } from '../../payouts/payout';
import { type Measured, TableBuilder } from '../results/table';
import { type PayoutBench, STORES } from './bench';
import { activateOn, addTable, timeDuplicates } from './knownPayouts';
import { payoutBench } from './ledger';

const DAY_SECONDS = 86_400;

/** How old the rows of a full table are: the newest of them, and how much older the oldest is. */
interface Age {
	newestSeconds: number;
	spreadSeconds: number;
}

/** Rows of the last two days, which stay that during the measurement. */
const RECENT: Age = { newestSeconds: 0, spreadSeconds: 1.9 * DAY_SECONDS };
const OLD: Age = { newestSeconds: 365 * DAY_SECONDS, spreadSeconds: 1.9 * DAY_SECONDS };

type Competitor =
	'projectEmpty' | 'projectRecent' | 'projectOld' | 'sharedEmpty' | 'sharedRecent' | 'sharedOld';

const ORDER: Competitor[] = [
	'projectEmpty',
	'projectRecent',
	'projectOld',
	'sharedEmpty',
	'sharedRecent',
	'sharedOld',
];

/**
 * What earlier payments cost: payouts with a full table beside one with an empty table. Passes when
 * each full table knows the first of its payments, however old.
 */
export async function measureFull(bench: PayoutBench): Promise<Measured> {
	const { fullRows, fullPayouts, fullRounds: rounds } = bench.scale;
	const { n8n } = bench;
	const known = makePayouts(`known-${randomUUID()}`, fullRows);
	const empty = await addTable(bench, []);
	const recent = await addTable(bench, known);
	const old = await addTable(bench, known);
	await n8n.restart(() => {
		setAge(bench, recent, RECENT);
		setAge(bench, old, OLD);
	});

	const workflows = {
		projectEmpty: await activateOn(bench, 'project', empty),
		projectRecent: await activateOn(bench, 'project', recent),
		projectOld: await activateOn(bench, 'project', old),
		sharedEmpty: await activateOn(bench, 'shared', empty),
		sharedRecent: await activateOn(bench, 'shared', recent),
		sharedOld: await activateOn(bench, 'shared', old),
	};

	const measure = await payoutBench(bench, ORDER, workflows);
	const table = new TableBuilder(
		`Payouts with ${fullRows.toLocaleString('en-US')} rows in the ledger, at 0 ms a request: ${rounds} rounds`,
		{ own: 'full', peer: 'empty' },
	);

	for (const count of [1, fullPayouts]) {
		const times = await measure(count, rounds);
		const timesOf = {
			project: { empty: times.projectEmpty, recent: times.projectRecent, old: times.projectOld },
			shared: { empty: times.sharedEmpty, recent: times.sharedRecent, old: times.sharedOld },
		};

		for (const { store, name } of STORES) {
			const { empty: peer, recent: ofRecent, old: ofOld } = timesOf[store];
			const payouts = count === 1 ? 'one payout' : `${count} payouts`;
			const wanted = count === 1 ? '' : 'at most 1.5';
			const line = { unit: 'ms', peer, wanted };
			table.compare({ name: `${name}, ${payouts}, rows of two days`, own: ofRecent, ...line });
			table.compare({ name: `${name}, ${payouts}, rows a year old`, own: ofOld, ...line });
		}
	}

	// These throw for a table that does not know them.
	for (const name of ORDER.filter((competitor) => !competitor.endsWith('Empty'))) {
		await timeDuplicates(n8n, workflows[name], known.slice(0, 1));
	}

	return { isPassed: true, table: table.build() };
}

/** Sets when the rows of a table were written, evenly and in their order. For an n8n that does not run. */
function setAge({ n8n }: Environment, name: string, { newestSeconds, spreadSeconds }: Age): void {
	const table = databaseTableOf(n8n, name);
	const share = `(1.0 - 1.0 * id / (SELECT max(id) FROM ${table}))`;
	const seconds = `CAST(${newestSeconds} + ${spreadSeconds} * ${share} AS INTEGER)`;
	const time = `strftime('%Y-%m-%d %H:%M:%f', 'now', '-' || ${seconds} || ' seconds')`;
	n8n.database.change(`UPDATE ${table} SET createdAt = ${time}, updatedAt = ${time}`);
}
