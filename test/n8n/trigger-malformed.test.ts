import axios from 'axios';
import fc from 'fast-check';

import { type Credential, START, successfulItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import { useBench } from './setup';
import {
	answerWithSecret,
	deliver,
	listen,
	type Listening,
	paidEvent,
	signatureOf,
} from './triggered';

const bench = useBench(() => ({
	N8N_METRICS: 'true',
	// n8n's other engine sets up a virtual machine for every delivery, which takes ten times as long.
	N8N_EXPRESSION_ENGINE: 'legacy',
}));

const SECRET = 'whsec_of_the_account';
const BODIES = 10_000;
const AT_ONCE = 50;
const MEGABYTE = 1024 * 1024;
/** Every so many bodies one is as large as this, which is more than the trigger takes. */
const LARGE_EVERY = 1000;
const LARGE = 5 * MEGABYTE;
const DEEP = 100_000;
const PATIENCE_MS = 600_000;

let unsigned: Listening;
let signed: Listening;

beforeAll(async () => {
	const { n8n, credentialData } = bench();
	const type = 'partnerPaymentsApi';
	const client: Credential = await n8n.createCredential('Client', type, credentialData);
	await answerWithSecret(bench());
	unsigned = await listen(bench(), client);
	const webhookSigningSecret = SECRET;
	signed = await listen(
		bench(),
		await n8n.createCredential('Signing', type, { ...credentialData, webhookSigningSecret }),
	);
});

/** Names and texts that a careless receiver stumbles over; none of them is a known event. */
const word = fc.constantFrom(
	...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then'],
	...['id', 'type', 'event', 'event_type', 'name', 'status', 'data', 'payload', 'events', 'object'],
	...['payable', 'partner', 'payable.created', 'constructor.paid', 'payable.partially_paid'],
);

/** JSON text, so that `__proto__` is a name like any other and numbers are as long as they like. */
const { json } = fc.letrec<{ json: string; scalar: string; object: string; list: string }>(
	(tie) => ({
		scalar: fc.oneof(
			fc.oneof(word, fc.string({ unit: 'binary' })).map((text) => JSON.stringify(text)),
			fc.constantFrom('null', 'true', 'false', '-0', '1e999', '-1e999', '1e-999', '0.1'),
			fc.constantFrom('9'.repeat(400), `1${'0'.repeat(5000)}`, '9007199254740993'),
		),
		object: fc
			.array(fc.tuple(fc.oneof(word, fc.string()), tie('json')), { maxLength: 6 })
			.map((entries) => {
				const members = entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
				return `{${members.join()}}`;
			}),
		list: fc.array(tie('json'), { maxLength: 6 }).map((entries) => `[${entries.join()}]`),
		json: fc.oneof({ maxDepth: 6 }, tie('scalar'), tie('object'), tie('list')),
	}),
);

/** Deep in itself, in an event that is recognised as none. */
const deep = fc
	.tuple(fc.integer({ min: 1000, max: DEEP }), fc.constantFrom('[', '{"data":', '{"__proto__":'))
	.map(([depth, open]) => open.repeat(depth) + '1' + (open === '[' ? ']' : '}').repeat(depth));

const notJson = fc.oneof(
	fc.uint8Array({ maxLength: 200 }).map((body) => Buffer.from(body)),
	fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
	json.map((text) => Buffer.from(text.slice(0, -1))),
	json.map((text) => Buffer.from(`${text}${text}x`)),
	fc
		.constantFrom('', ' ', '\uFEFF{}', '{', '{"a":}', '{a:1}', 'NaN', '\0')
		.map((text) => Buffer.from(text)),
);

const contentType = fc.constantFrom(
	...['application/json', 'application/json', 'application/json; charset=utf-16', 'text/plain'],
	...['application/x-www-form-urlencoded', 'application/octet-stream', 'text/html', 'nonsense'],
	...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/cloudevents+json'],
);

interface Malformed {
	body: Buffer;
	contentType: string;
	signature: 'right' | 'wrong' | 'none';
}

const malformed: fc.Arbitrary<Malformed> = fc.record({
	body: fc.oneof(
		{ weight: 50, arbitrary: json.map((text) => Buffer.from(text)) },
		{ weight: 49, arbitrary: notJson },
		{ weight: 1, arbitrary: deep.map((text) => Buffer.from(text)) },
	),
	contentType,
	signature: fc.constantFrom('right' as const, 'wrong' as const, 'none' as const),
});

/** A body larger than the trigger takes: an event but for its size. */
const large = (index: number): Malformed => {
	const event = paidEvent(bench().sandbox.workspaceId, { filler: 'x'.repeat(LARGE) });
	const text = JSON.stringify(event);
	return {
		body: Buffer.from(index % (2 * LARGE_EVERY) === 0 ? text : text.slice(0, -1)),
		contentType: 'application/json',
		signature: 'right',
	};
};

const headersOf = ({ body, contentType: type, signature }: Malformed): Record<string, string> => ({
	'content-type': type,
	...(signature === 'right' && { 'X-Signature': signatureOf(body, SECRET) }),
	...(signature === 'wrong' && { 'X-Signature': signatureOf(body, 'another') }),
});

/** What n8n's process takes of the memory, in bytes. */
async function memory(): Promise<number> {
	const { data } = await axios.get<string>(`${bench().n8n.url}/metrics`, { proxy: false });
	const value = /^n8n_process_resident_memory_bytes (\S+)/m.exec(data)?.[1];
	if (value === undefined) throw new Error('n8n tells nothing about its memory');
	return Number(value);
}

const good = () => paidEvent(bench().sandbox.workspaceId);

/** Delivers a good event to both workflows. */
async function deliverGood(event: Record<string, unknown>): Promise<void> {
	const signature = signatureOf(JSON.stringify(event), SECRET);
	for (const { url } of [unsigned, signed]) {
		expect(await deliver(url, event, { 'X-Signature': signature })).toEqual({
			status: 200,
			data: { message: 'Received' },
		});
	}
}

test(
	'ten thousand malformed deliveries start nothing and leave n8n as it was',
	async () => {
		const { n8n } = bench();
		const first = good();
		await deliverGood(first);
		const before = await memory();

		const samples = fc.sample(malformed, BODIES);
		const unexpected: unknown[] = [];
		const statuses = new Map<number, number>();
		let next = 0;
		const deliverSome = async (): Promise<void> => {
			for (let index = next++; index < samples.length; index = next++) {
				const sample = index % LARGE_EVERY === 0 ? large(index) : samples[index];
				if (sample === undefined) throw new Error('There is no such sample');
				const { url } = index % 2 === 0 ? unsigned : signed;
				const { status, data } = await deliver(url, sample.body, headersOf(sample));
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
				const isIgnored = status === 200 && JSON.stringify(data) === '{"message":"Nothing new"}';
				if (isIgnored || (status >= 400 && status < 500)) continue;
				const start = sample.body.toString().slice(0, 300);
				unexpected.push({ status, data, start, contentType: sample.contentType });
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, deliverSome));
		expect(unexpected).toEqual([]);
		// All ways out were taken, so that the bodies were not all refused at the same gate.
		for (const status of [200, 400, 401, 413]) expect(statuses.get(status)).toBeGreaterThan(0);

		// Nothing stays behind: the memory comes back to what a busy n8n takes.
		await poll('n8n to let go of the memory', async () =>
			(await memory()) < before * 2 + 300 * MEGABYTE ? true : undefined,
		);

		const last = good();
		await deliverGood(last);
		for (const { workflow } of [unsigned, signed]) {
			const executions = await n8n.executions.allFinished(workflow.id);
			const items = executions.flatMap((execution) => successfulItems(execution, START));
			expect(items.map(({ json: { event_id: id } }) => id).sort()).toEqual(
				[first.id, last.id].sort(),
			);
			for (const { json: item } of items) {
				expect(Object.keys(item).sort()).toEqual([
					'event',
					'event_id',
					'event_type',
					'occurred_at',
					'payable',
					'payable_id',
					'status',
					'verified',
					'workspace_id',
				]);
				expect(Object.keys(item.payable ?? {}).sort()).toEqual(['amount', 'id', 'status']);
			}
		}
		expect(n8n.log()).not.toMatch(/heap out of memory|Last session crashed/);
	},
	PATIENCE_MS,
);

test.each([
	['lists', '[', ']'],
	['objects', '{"a":', '}'],
])('an event that is deep in itself is answered and leaves n8n up: %s', async (_, open, close) => {
	for (const depth of [1000, 5000, 20_000, DEEP]) {
		const inner = `${open.repeat(depth)}1${close.repeat(depth)}`;
		const body = `{"type":"payable.paid","data":{"id":"payable-1","status":"paid","more":${inner}}}`;
		const { status } = await deliver(unsigned.url, body);
		expect({ depth, isError: status >= 500 }).toEqual({ depth, isError: false });
	}
	const event = good();
	await deliverGood(event);
});
