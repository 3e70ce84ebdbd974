import { readContract } from '../contract/contract';
import { flagOf } from '../options';
import { builtIn } from '../shared/builtIn';
import { defaultSettings, settingSchemas, type Settings } from '../shared/settings';
import { OTHER, type Observation } from './answerObservers';
import { isFields } from './exchange';

type Value = Observation['seen'];

/** An open point: what is assumed, and what was seen how often. */
export interface PointView {
	point: keyof Settings;
	question: string;
	assumed: Value;
	seen: { value: Value; times: number; example: string }[];
	differs: boolean;
}

export interface ReportView {
	target: string;
	calls: Record<string, number>;
	deliveries: number;
	points: PointView[];
	/** Where answers are not as the contract has them, by operation. */
	differences: Record<string, string[]>;
	/** Calls that the contract does not have. */
	unknownCalls: string[];
	/** The settings that make a sandbox like the service. */
	settings: Partial<Settings>;
	/** What the contract leaves open, by the place it is said at. */
	notes: { at: string; note: string; isSeen: boolean }[];
}

/** Settings of the sandbox itself, about which no service can be asked. */
const OWN = /^(requestsPerMinute|rateWindowSeconds|magicValues|paused|seed|maxInFlight.*)$/;

const points = (Object.keys(settingSchemas) as (keyof Settings)[]).filter(
	(name) => !OWN.test(name),
);

/** Points that each show one part, whatever else was seen beside it. */
const strongest: Partial<Record<keyof Settings, Value>> = { refusalStatus: 'payment' };

/** Collects what a service does at the open points. It keeps shapes and counts, and no values. */
export class ProxyReport {
	private readonly seen = new Map<keyof Settings, Map<Value, { times: number; example: string }>>();
	private readonly calls = new Map<string, number>();
	private readonly differences = new Map<string, Set<string>>();
	private readonly unknownCalls = new Set<string>();
	private deliveries = 0;

	constructor(
		private readonly target: string,
		/** What only the whole shows. */
		private readonly conclusions: () => Observation[],
	) {}

	noteCall(operationId: string): void {
		this.calls.set(operationId, (this.calls.get(operationId) ?? 0) + 1);
	}

	noteUnknownCall(method: string, path: string): void {
		// Identifiers tell nothing about the call.
		this.unknownCalls.add(`${method} ${path.replace(/[^/]*\d[^/]*/g, '{id}')}`);
	}

	noteDelivery(): void {
		this.deliveries += 1;
	}

	/** @param example what it was seen in */
	note({ point, seen }: Observation, example: string): void {
		const values = this.seen.get(point) ?? new Map<Value, { times: number; example: string }>();
		const known = values.get(seen) ?? { times: 0, example };
		values.set(seen, { ...known, times: known.times + 1 });
		this.seen.set(point, values);
	}

	noteDifference(operationId: string, text: string): void {
		const known = this.differences.get(operationId) ?? new Set();
		this.differences.set(operationId, known.add(text));
	}

	view(): ReportView {
		const pointViews = points.map((point) => this.pointView(point));
		const settings: Partial<Record<string, Value>> = {};
		for (const { point, differs, seen } of pointViews) {
			const value = chosen(point, seen);
			if (differs && value !== undefined && value !== OTHER) {
				settings[point] = value;
			}
		}

		return {
			target: this.target,
			calls: Object.fromEntries(this.calls),
			deliveries: this.deliveries,
			points: pointViews,
			differences: Object.fromEntries(
				[...this.differences].map(([operationId, texts]) => [operationId, [...texts]]),
			),
			unknownCalls: [...this.unknownCalls],
			settings,
			notes: openNotes().map((note) => ({ ...note, isSeen: this.isSeen(note.operationId) })),
		};
	}

	private isSeen(operationId: string | undefined): boolean {
		if (operationId === 'receiveEvent') {
			return this.deliveries > 0;
		}

		return operationId !== undefined && this.calls.has(operationId);
	}

	private pointView(point: keyof Settings): PointView {
		const seen = [...(this.seen.get(point) ?? [])].map(([value, more]) => ({ value, ...more }));
		for (const { point: concluded, seen: value } of this.conclusions()) {
			if (concluded === point) {
				seen.push({ value, times: 1, example: 'payables that were paid or not' });
			}
		}

		const assumed = defaultSettings[point];
		return {
			point,
			question: settingSchemas[point].description,
			assumed,
			seen,
			differs: seen.some(({ value }) => !isSame(value, assumed)),
		};
	}
}

/** Names of headers are the same in any case. */
const isSame = (value: Value, other: Value): boolean =>
	String(value).toLowerCase() === String(other).toLowerCase();

/** The one value that stands for what was seen. */
function chosen(point: keyof Settings, seen: PointView['seen']): Value | undefined {
	const values = seen.map(({ value }) => value);
	const strong = strongest[point];
	if (strong !== undefined && values.includes(strong)) {
		return strong;
	}

	const [most] = [...seen].sort((a, b) => b.times - a.times);
	return most?.value;
}

interface OpenNote {
	at: string;
	note: string;
	operationId: string | undefined;
}

/** Every `x-open` of the contract, by the operation or schema that has it. */
function openNotes(): OpenNote[] {
	const notes: OpenNote[] = [];
	const visit = (node: unknown, at: string[], operationId: string | undefined): void => {
		if (Array.isArray(node)) {
			for (const each of node) {
				visit(each, at, operationId);
			}

			return;
		}

		if (!isFields(node)) {
			return;
		}

		const own = typeof node['operationId'] === 'string' ? node['operationId'] : operationId;
		for (const [name, value] of Object.entries(node)) {
			if (name === 'x-open') {
				notes.push({
					at: own ?? at.slice(-3).join('.'),
					note: String(value).trim(),
					operationId: own,
				});
			} else {
				visit(value, [...at, name], own);
			}
		}
	};

	visit(readContract(), [], undefined);
	return notes;
}

const line = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

type Result = 'differs' | 'same' | 'unseen';

const results: Record<Result, string> = {
	differs: '**differs**',
	same: 'as assumed',
	unseen: 'not seen',
};

function resultOf({ differs, seen }: PointView): Result {
	if (differs) {
		return 'differs';
	}

	return seen.length > 0 ? 'same' : 'unseen';
}

const rowOf = (view: PointView): string => {
	const { point, question, assumed, seen, differs } = view;
	const told = seen.map(({ value, times }) => `${String(value)} (${times})`).join(', ');
	const cells = [
		results[resultOf(view)],
		`\`${point}\``,
		line(question),
		String(assumed),
		told,
		differs ? seen.map(({ example }) => `\`${line(example)}\``).join(', ') : '',
	];
	return `| ${cells.join(' | ')} |`;
};

/** The report for a person, as Markdown. */
export function renderReport(view: ReportView): string {
	const ranks = Object.keys(results);
	const order = (one: PointView): number => ranks.indexOf(resultOf(one));
	const sorted = [...view.points].sort((a, b) => order(a) - order(b));
	const flags = Object.entries(view.settings).map(([name, value]) => flagOf(name, value));
	const calls = Object.entries(view.calls).map(([name, times]) => `- \`${name}\`: ${times}`);
	const differences = Object.entries(view.differences).flatMap(([name, texts]) => [
		`### ${name}`,
		'',
		...texts.map((text) => `- ${line(text)}`),
		'',
	]);

	const notes = view.notes.map(
		({ at, note, isSeen }) => `- ${isSeen ? 'called' : 'not called'}, \`${at}\`: ${line(note)}`,
	);

	return [
		'# What the service does where its documentation is silent',
		'',
		`Seen at ${view.target}. The report keeps shapes and counts, and no values.`,
		'',
		'## Open points',
		'',
		'| result | setting | question | assumed | seen (times) | in |',
		'| --- | --- | --- | --- | --- | --- |',
		...sorted.map(rowOf),
		'',
		'## A sandbox like this service',
		'',
		flags.length === 0 ? 'No flag is needed.' : `    ${builtIn.command} ${flags.join(' ')}`,
		'',
		'## Answers that are not as the contract has them',
		'',
		...(differences.length === 0 ? ['None.', ''] : differences),
		'## Calls that the contract does not have',
		'',
		...(view.unknownCalls.length === 0
			? ['None.']
			: view.unknownCalls.map((call) => `- \`${call}\``)),
		'',
		'## Calls and deliveries',
		'',
		...calls,
		`- deliveries: ${view.deliveries}`,
		'',
		'## What the contract leaves open',
		'',
		...notes,
		'',
	].join('\n');
}
