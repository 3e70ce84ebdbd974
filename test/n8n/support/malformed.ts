import fc from 'fast-check';

import { START, successfulItems } from '../../../tools/n8n';
import { deliver, SECRET, signatureOf, type Subscribed, type TriggerFixture } from './trigger';

/** So few that n8n still has time for other test files. */
const AT_ONCE = 10;
const MEGABYTE = 1024 * 1024;
/** One body in so many is larger than the trigger accepts. */
const LARGE_EVERY = 250;
const LARGE_BYTES = 5 * MEGABYTE;
const MAX_DEPTH = 100_000;

const json = fc.json({ maxDepth: 6, stringUnit: 'binary' });

/** Deeply nested, in what is no known event. */
const deep = fc
	.tuple(
		fc.integer({ min: 1000, max: MAX_DEPTH }),
		fc.constantFrom('[', '{"data":', '{"__proto__":'),
	)
	.map(([depth, open]) => open.repeat(depth) + '1' + (open === '[' ? ']' : '}').repeat(depth));

const notJson = fc.oneof(
	fc.uint8Array({ maxLength: 200 }).map((body) => Buffer.from(body)),
	fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
	json.map((text) => Buffer.from(text.slice(0, -1))),
	fc.constantFrom('', '\uFEFF{}', '{a:1}', 'NaN', '\0').map((text) => Buffer.from(text)),
);

const contentType = fc.constantFrom(
	...['application/json', 'application/json', 'application/json; charset=utf-16', 'nonsense'],
	...['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'],
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

/** A body larger than the trigger accepts: a valid event, or a truncated one. */
const large = (index: number, event: object): Malformed => {
	const text = JSON.stringify({ ...event, filler: 'x'.repeat(LARGE_BYTES) });
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

/** Two workflows, of which one knows its signing secret, and what is delivered to them. */
export class MalformedDeliveries {
	private constructor(
		private readonly trigger: TriggerFixture,
		private readonly subscribed: readonly [unsigned: Subscribed, signed: Subscribed],
	) {}

	/** Publishes both workflows. */
	static async prepare(trigger: TriggerFixture): Promise<MalformedDeliveries> {
		const events = [
			...['payableApproved', 'payablePaid', 'payableStatusChanged', 'partnerStatusChanged'],
		];
		const unsigned = await trigger.listenUnsigned({ events });
		const signed = await trigger.listen(trigger.signing(), { events });
		return new MalformedDeliveries(trigger, [unsigned, signed]);
	}

	/** Delivers a valid event to both workflows, which have to take it; returns its ID. */
	async deliverValid(): Promise<unknown> {
		const valid = this.trigger.event();
		const signature = signatureOf(JSON.stringify(valid), SECRET);
		for (const { url } of this.subscribed) {
			expect(await deliver(url, valid, { 'X-Signature': signature })).toEqual({
				status: 200,
				data: { message: 'Received' },
			});
		}
		return valid['id'];
	}

	/** Delivers so many malformed bodies, each of which has to be ignored or refused. */
	async deliverMalformed(count: number): Promise<void> {
		const samples = fc.sample(malformed, count);
		const unexpected: unknown[] = [];
		const statuses = new Map<number, number>();
		let next = 0;
		const deliverSome = async (): Promise<void> => {
			for (let index = next++; index < samples.length; index = next++) {
				const isLarge = index % LARGE_EVERY === 0;
				const sample = isLarge ? large(index, this.trigger.event()) : samples[index];
				const target = this.subscribed[index % 2 === 0 ? 0 : 1];
				if (sample === undefined) throw new Error('There is no such sample');
				const { status, data } = await deliver(target.url, sample.body, headersOf(sample));
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
				const isIgnored = status === 200 && JSON.stringify(data) === '{"message":"Nothing new"}';
				if (isIgnored || (status >= 400 && status < 500)) continue;
				const start = sample.body.toString().slice(0, 300);
				unexpected.push({ status, data, start, contentType: sample.contentType });
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, deliverSome));
		expect(unexpected).toEqual([]);
		// Every kind of answer came, so that the bodies were not all refused by the same check.
		for (const status of [200, 400, 401, 413]) expect(statuses.get(status)).toBeGreaterThan(0);
	}

	/** Expects these events, and no others, to have started each workflow once, with simple items. */
	async expectStarted(ids: unknown[]): Promise<void> {
		for (const { workflow } of this.subscribed) {
			const executions = await this.trigger.executionsOf(workflow);
			const items = executions.flatMap((execution) => successfulItems(execution, START));
			expect(items.map(({ json: item }) => item['event_id']).sort()).toEqual([...ids].sort());
			for (const { json: item } of items) {
				expect(Object.keys(item)).toHaveLength(9);
				expect(Object.keys(item['payable'] ?? {}).sort()).toEqual(['amount', 'id', 'status']);
			}
		}
	}

	/** Delivers events that are deep in themselves, which n8n has to answer without an error. */
	async deliverDeep(open: string, close: string): Promise<void> {
		for (const depth of [1000, 20_000, MAX_DEPTH]) {
			const inner = `${open.repeat(depth)}1${close.repeat(depth)}`;
			const body = `{"type":"payable.paid","data":{"id":"payable-1","status":"paid","more":${inner}}}`;
			const { status } = await deliver(this.subscribed[0].url, body);
			expect({ depth, isError: status >= 500 }).toEqual({ depth, isError: false });
		}
	}
}
