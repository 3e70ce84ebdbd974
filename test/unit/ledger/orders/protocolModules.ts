import * as crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { compileFunction } from 'node:vm';

import { transformSync } from '@swc/core';
import * as luxon from 'luxon';
import * as n8nWorkflow from 'n8n-workflow';

import type * as errors from '../../../../nodes/PartnerPayments/api/http/errors';
import type * as clock from '../../../../nodes/PartnerPayments/api/http/clock';
import type * as sending from '../../../../nodes/PartnerPayments/api/http/retryableRequest';
import type * as itemParameters from '../../../../nodes/PartnerPayments/execution/itemParameters';
import type * as ledger from '../../../../nodes/PartnerPayments/ledger/ledger';
import type * as records from '../../../../nodes/PartnerPayments/ledger/protocol/records';
import type * as ledgerProtocol from '../../../../nodes/PartnerPayments/ledger/protocol/ledgerProtocol';
import type * as ledgerTable from '../../../../nodes/PartnerPayments/ledger/table/ledgerTable';
import type * as rows from '../../../../nodes/PartnerPayments/ledger/table/rows';
import type * as fundingCreate from '../../../../nodes/PartnerPayments/resources/funding/create';
import type * as linkDeposit from '../../../../nodes/PartnerPayments/resources/funding/linkDeposit';
import type * as payoutResolve from '../../../../nodes/PartnerPayments/resources/payout/resolve';
import type * as sharedErrors from '../../../../nodes/PartnerPayments/shared/errors';
import type * as payoutSend from '../../../../nodes/PartnerPayments/resources/payout/send';

/** A change of the protocol's source: a snippet that must be there exactly once, and what takes its place. */
export interface Change {
	file: string;
	snippet: string;
	replacement: string;
}

/** What a process has of the computer that it runs on. */
export interface Machine {
	now: () => number;
	sleep: (ms: number) => Promise<void>;
	claimId: () => string;
	openRecords: () => records.LedgerRecords;
}

/** The modules of the package, as one process has loaded them. */
export type Modules = ReturnType<ProtocolSource['load']>;

type Exports = Record<string, unknown>;
type Factory = (...values: unknown[]) => void;

const NODES = join(__dirname, '../../../../nodes/PartnerPayments');
const SWC = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	module: { type: 'commonjs' },
} as const;

/** Functions that make the same of a text each time, and are asked about a few texts again and again. */
const OF_TEXTS: Record<string, string[]> = {
	'shared/references.ts': ['matchKeyOf'],
	'shared/invoiceNumbers.ts': ['sharedNumberIn', 'sharedDigitsOf'],
};

/** The source of the package, which is compiled once and can be loaded for many processes. */
export class ProtocolSource {
	private readonly factories = new Map<string, Factory>();
	private readonly changes: Map<string, Change[]>;

	constructor(changes: Change[] = []) {
		this.changes = new Map();
		for (const change of changes) {
			this.changes.set(change.file, [...(this.changes.get(change.file) ?? []), change]);
		}
	}

	/** Loads the package for one more process, which shares nothing in memory with the others. */
	load(machine: Machine) {
		const loaded = new Map<string, Exports>();
		const date = new Proxy(Date, {
			construct: (target, values: unknown[]): object => {
				const made: unknown = Reflect.construct(
					target,
					values.length === 0 ? [machine.now()] : values,
				);
				return Object(made) as object;
			},
			get: (target, name): unknown => (name === 'now' ? machine.now : Reflect.get(target, name)),
		});
		const math = new Proxy(Math, {
			get: (target, name): unknown => (name === 'random' ? () => 0.9 : Reflect.get(target, name)),
		});
		const packages: Record<string, object> = {
			crypto: { ...crypto, randomUUID: machine.claimId },
			luxon,
			'n8n-workflow': { ...n8nWorkflow, sleep: machine.sleep },
		};
		loaded.set(join(NODES, 'ledger/openLedger.ts'), { openRecords: machine.openRecords });

		const load = (path: string): Exports => {
			const known = loaded.get(path);
			if (known !== undefined) {
				return known;
			}
			const exports: Exports = {};
			loaded.set(path, exports);
			const require = (name: string): object => {
				if (name.startsWith('.')) {
					return load(join(dirname(path), `${name}.ts`));
				}
				const found = packages[name];
				if (found === undefined) {
					throw new Error(`No package ${name} for ${path}`);
				}
				return found;
			};
			this.factoryOf(path)(exports, require, date, math);
			const names = OF_TEXTS[relative(NODES, path)];
			if (names === undefined) {
				return exports;
			}
			const remembering = { ...exports };
			for (const name of names) {
				remembering[name] = remembered(exports[name] as (text: string) => unknown);
			}
			loaded.set(path, remembering);
			return remembering;
		};

		// It alone keeps something between two executions: what they have locked.
		const locks = join(NODES, 'shared/concurrency.ts');
		let current = load(locks);
		loaded.set(locks, new Proxy<Exports>({}, { get: (_, name) => current[String(name)] }));
		const unlock = (): void => {
			const fresh: Exports = {};
			this.factoryOf(locks)(fresh, noRequire, date, math);
			current = fresh;
		};
		const named = (file: string): unknown => load(join(NODES, file));
		return {
			unlock,
			errors: named('api/http/errors.ts') as typeof errors,
			clock: named('api/http/clock.ts') as typeof clock,
			sending: named('api/http/retryableRequest.ts') as typeof sending,
			itemParameters: named('execution/itemParameters.ts') as typeof itemParameters,
			ledger: named('ledger/ledger.ts') as typeof ledger,
			records: named('ledger/protocol/records.ts') as typeof records,
			ledgerProtocol: named('ledger/protocol/ledgerProtocol.ts') as typeof ledgerProtocol,
			ledgerTable: named('ledger/table/ledgerTable.ts') as typeof ledgerTable,
			rows: named('ledger/table/rows.ts') as typeof rows,
			sharedErrors: named('shared/errors.ts') as typeof sharedErrors,
			send: (named('resources/payout/send.ts') as typeof payoutSend).send,
			resolve: (named('resources/payout/resolve.ts') as typeof payoutResolve).resolve,
			createFunding: (named('resources/funding/create.ts') as typeof fundingCreate).create,
			linkDeposit: (named('resources/funding/linkDeposit.ts') as typeof linkDeposit).linkDeposit,
		};
	}

	private factoryOf(path: string): Factory {
		const known = this.factories.get(path);
		if (known !== undefined) {
			return known;
		}
		const { code } = transformSync(this.textOf(path), { ...SWC, filename: path });
		const factory = compileFunction(code, ['exports', 'require', 'Date', 'Math'], {
			filename: path,
		}) as Factory;
		this.factories.set(path, factory);
		return factory;
	}

	private textOf(path: string): string {
		const file = relative(NODES, path);
		let text = readFileSync(path, 'utf8');
		for (const { snippet, replacement } of this.changes.get(file) ?? []) {
			const parts = text.split(snippet);
			const [before, after] = parts;
			if (parts.length !== 2 || before === undefined || after === undefined) {
				throw new Error(`${file} has this ${parts.length - 1} times, not once: ${snippet}`);
			}
			text = `${before}${replacement}${after}`;
		}
		return text;
	}
}

/** A function that is called once for each text. */
function remembered(make: (text: string) => unknown): (text: string) => unknown {
	const made = new Map<string, unknown>();
	return (text) => {
		if (!made.has(text)) {
			made.set(text, make(text));
		}
		return made.get(text);
	};
}

function noRequire(name: string): never {
	throw new Error(`It needs nothing, and not ${name}`);
}
