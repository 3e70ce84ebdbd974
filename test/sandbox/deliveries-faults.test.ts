import { type DeliveryFault } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { checkEvent } from './contract-checks';
import { deliveryFixture, HOUR_MS, sequence, sorted, upTo } from './delivery-fixture';
import { eventIn, isSignedWith } from './receiver';

const {
	fixture,
	receiver,
	control,
	subscribe,
	subscribeElsewhere,
	emit,
	settled,
	arrived,
	deliveryIn,
} = deliveryFixture();

describe('a fault', () => {
	const injectAndEmit = async (fault: DeliveryFault) => {
		await control().addDeliveryFault(fault);
		await emit(10);
	};

	test('duplicate: the same goes out so many times', async () => {
		await subscribe(receiver.url());
		await injectAndEmit({ kind: 'duplicate', copies: 3, times: 2 });
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual(sorted([...upTo(10), 0, 0, 1, 1]));
		const [first, ...copies] = receiver.received.filter((each) => sequence([each])[0] === 0);
		expect(copies).toEqual([first, first]);
		expect(await control().deliveryFaults()).toEqual([]);
	});

	test('delay: goes out later, on the sandbox’s clock, and once', async () => {
		await subscribe(receiver.url());
		await injectAndEmit({
			kind: 'delay',
			ms: 3_600_000,
			ratio: 1,
			match: { eventType: 'payable.paid' },
		});
		const waiting = await poll('ten to wait', async () => {
			const deliveries = await control().deliveries({ state: 'waiting' });
			const soon = Date.parse(await control().now()) + 3_000_000;
			return deliveries.length === 10 &&
				deliveries.every(({ dueAt }) => Date.parse(dueAt ?? '') > soon)
				? deliveries
				: undefined;
		});
		expect(waiting).toHaveLength(10);
		expect(receiver.received).toEqual([]);
		await control().advanceClock(3600);
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual(upTo(10));
		expect((await control().deliveryAttempts())[0]?.faults).toEqual(['delay']);
	});

	test('reorder: all go out, in another order', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		await subscribe(receiver.url());
		await injectAndEmit({ kind: 'reorder', ms: 300, ratio: 1 });
		await settled();
		expect(sequence(receiver.received)).not.toEqual(upTo(10));
		expect(sorted(sequence(receiver.received))).toEqual(upTo(10));
	});

	test('without reorder they go out in order', async () => {
		await control().setDeliveryOptions({ maxInFlightPerSubscription: 1 });
		await subscribe(receiver.url());
		await emit(10);
		await settled();
		expect(sequence(receiver.received)).toEqual(upTo(10));
	});

	test('drop: never goes out, unless by hand', async () => {
		await subscribe(receiver.url());
		await injectAndEmit({ kind: 'drop', times: 3 });
		const deliveries = await settled();
		expect(sorted(sequence(receiver.received))).toEqual([3, 4, 5, 6, 7, 8, 9]);
		expect(deliveries.slice(0, 4).map(({ state }) => state)).toEqual([
			'dropped',
			'dropped',
			'dropped',
			'delivered',
		]);
		expect(
			(await control().deliveryAttempts(deliveries[0]?.id)).map(({ faults }) => faults),
		).toEqual([['drop']]);
		await control().redeliver({ delivery: deliveries[0]?.id ?? '' });
		await settled();
		expect(sequence(receiver.received)).toContain(0);
	});

	const unsigned = {
		forged_signature: /^[0-9a-f]{64}$/,
		missing_signature: undefined,
		foreign_signature: /^[0-9a-f]{64}$/,
	} as const;
	test.each(['forged_signature', 'missing_signature', 'foreign_signature'] as const)(
		'%s: refused, it comes again with the right one',
		async (kind) => {
			await control().setDeliveryOptions({ firstRetryMs: HOUR_MS });
			const elsewhere = await subscribeElsewhere(receiver.url('/elsewhere'));
			const { secret } = await subscribe(receiver.url());
			receiver.react = (received) => (isSignedWith(secret, received) ? 200 : 401);
			await control().addDeliveryFault({ kind });
			await emit();
			await deliveryIn('waiting', 1);
			await control().advanceClock(3600);
			await deliveryIn('delivered', 2);
			const [wrong, right] = receiver.received;
			const shape = unsigned[kind];
			if (shape === undefined) expect(wrong?.signature).toBeUndefined();
			else expect(wrong?.signature).toMatch(shape);
			expect(wrong?.body).toBe(right?.body);
			expect(wrong !== undefined && isSignedWith(elsewhere.secret, wrong)).toBe(
				kind === 'foreign_signature',
			);
			expect(
				(await control().deliveryAttempts()).map(({ status, faults }) => [status, faults]),
			).toEqual([
				[401, [kind]],
				[200, []],
			]);
		},
	);

	test('stale: an old event comes along with the signature it had', async () => {
		await subscribe(receiver.url());
		await control().addDeliveryFault({ kind: 'stale' });
		await emit(1, 0);
		await settled();
		// There was nothing old yet, so that the fault still waits.
		expect(receiver.received).toHaveLength(1);
		await control().advanceClock(3600);
		await emit(1, 1);
		await arrived(3);
		await settled();
		expect(sorted(sequence(receiver.received))).toEqual([0, 0, 1]);
		const [first, again] = receiver.received.filter((each) => sequence([each])[0] === 0);
		expect(again).toEqual(first);
	});

	test.each<[string, DeliveryFault, (body: string) => unknown]>([
		['cut in half', { kind: 'malformed' }, (body) => body.startsWith('{"id":"evt_')],
		['a text', { kind: 'malformed', body: 'Hello' }, (body) => body === 'Hello'],
	])('malformed: %s, with a valid signature', async (_, fault, isSo) => {
		const { secret } = await subscribe(receiver.url());
		await control().addDeliveryFault(fault);
		await emit();
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) throw new Error('Nothing came.');
		expect(() => eventIn(received)).toThrow(SyntaxError);
		expect(isSo(received.body)).toBe(true);
		expect(isSignedWith(secret, received)).toBe(true);
	});

	test('oversized: as many bytes as asked for, still the event, with a valid signature', async () => {
		const { secret } = await subscribe(receiver.url());
		await control().addDeliveryFault({ kind: 'oversized', bytes: 3_000_000 });
		await emit();
		await settled();
		const [received] = await arrived(1);
		if (received === undefined) throw new Error('Nothing came.');
		expect(received.body).toHaveLength(3_000_000);
		checkEvent(eventIn(received));
		expect(isSignedWith(secret, received)).toBe(true);
		expect(await control().deliveryAttempts()).toMatchObject([{ bytes: 3_000_000 }]);
	});

	test('with a ratio strikes the same ones whenever the seed is the same', async () => {
		const survivorsOf = async (seed: number) => {
			await control().reset();
			receiver.clear();
			await control().setDeliveryOptions({ seed });
			await subscribe(receiver.url());
			await control().addDeliveryFault({ kind: 'drop', ratio: 0.5 });
			await emit(200);
			await settled();
			return sorted(sequence(receiver.received));
		};
		const first = await survivorsOf(7);
		expect(await survivorsOf(7)).toEqual(first);
		expect(await survivorsOf(8)).not.toEqual(first);
		expect(first.length).toBeGreaterThan(60);
		expect(first.length).toBeLessThan(140);
	});

	test('strikes only what it matches, until it is cleared', async () => {
		const { id } = await subscribe(receiver.url('/a'));
		await subscribe(receiver.url('/b'));
		await control().addDeliveryFault({ kind: 'drop', ratio: 1, match: { subscriptionId: id } });
		const elsewhere = { workspaceId: fixture.sandbox.secondWorkspaceId };
		await control().addDeliveryFault({ kind: 'drop', ratio: 1, match: elsewhere });
		await control().addDeliveryFault({
			kind: 'drop',
			ratio: 1,
			match: { eventType: 'payable.approved' },
		});
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([0, 3]);
		await control().clearDeliveryFaults();
		await emit(3);
		await settled();
		expect([receiver.at('/a').length, receiver.at('/b').length]).toEqual([3, 6]);
	});

	test('that makes no sense is refused', async () => {
		const wrong = [
			{},
			{ kind: 'flood' },
			{ kind: 'delay' },
			{ kind: 'drop', ms: 5 },
			{ kind: 'duplicate', copies: 1 },
			{ kind: 'drop', ratio: 2 },
		];
		for (const fault of wrong) {
			const path = `${fixture.sandbox.controlUrl}/deliveries/faults`;
			expect((await fixture.api.post(path, fault)).status).toBe(400);
		}
		expect(await control().deliveryFaults()).toEqual([]);
	});
});
