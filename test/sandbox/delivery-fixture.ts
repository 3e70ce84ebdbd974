import type { DeliveryFault, DeliveryView, Event } from '../../sandbox/client';
import { poll } from '../../tools/n8n/poll';
import { createSubscription, demo, SandboxFixture, type EventType } from './fixture';
import { eventIn, Receiver, type Received } from './receiver';

/** So long that nothing is retried by itself before the test is over. */
export const HOUR_MS = 3_600_000;

/** Events of payables that do not exist. */
export const makeEvents = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({
		event_type: 'payable.paid' as const,
		workspaceId: demo.workspaceId,
		data: { payable: { id: `pbl_${from + index}`, status: 'paid' as const } },
	}));

/** A sandbox and a subscriber for one test file, reset before every test, and what such tests do. */
export function deliveryFixture() {
	const fixture = new SandboxFixture();
	const receiver = new Receiver();
	const control = () => fixture.sandbox.control;

	beforeEach(() => {
		receiver.clear();
	});

	const subscribe = async (url = receiver.url(), events?: EventType[], workspaceId?: string) =>
		await createSubscription(fixture.api, url, events, workspaceId);

	/** A subscription of the other buyer. */
	const subscribeElsewhere = async (url: string) =>
		await createSubscription(await fixture.otherClient(), url, undefined, demo.otherWorkspaceId);

	const emit = async (count = 1, from = 0) => await control().emitEvents(makeEvents(count, from));

	/** Waits until nothing is due and nothing is being sent. */
	const settled = async (): Promise<DeliveryView[]> =>
		await poll('the deliveries to come to an end', async () => {
			const { waiting, sending } = await control().deliveryCounts();
			return waiting + sending === 0 ? await control().deliveries() : undefined;
		});

	const emitAndSettle = async (count = 1, from = 0) => {
		await emit(count, from);
		return await settled();
	};

	/** Subscribes, and emits events while there is a fault. */
	const strike = async (fault: DeliveryFault, count = 1) => {
		const subscription = await subscribe();
		await control().addDeliveryFault(fault);
		await emit(count);

		return subscription;
	};

	/** Waits until `count` POSTs have come in, in all or at a path. */
	const arrived = async (count: number, path?: string): Promise<Received[]> =>
		await poll(`${count} POSTs`, () => {
			const received = path === undefined ? receiver.received : receiver.at(path);
			return received.length >= count ? received : undefined;
		});

	/** Waits until the first delivery is in a state after this number of attempts. */
	const deliveryIn = async (state: DeliveryView['state'], attempts: number) =>
		await poll(`a delivery to be ${state}`, async () => {
			const [delivery] = await control().deliveries();
			return delivery?.state === state && delivery.attempts === attempts ? delivery : undefined;
		});

	return {
		fixture,
		receiver,
		control,
		subscribe,
		subscribeElsewhere,
		emit,
		settled,
		emitAndSettle,
		strike,
		arrived,
		deliveryIn,
	};
}

/** The IDs of events, in an order of their own. */
export const ids = (events: Event[]) => events.map(({ id }) => id).sort();

/** The numbers of the payables that POSTs tell of, in the order in which they came in. */
export const sequence = (received: Received[]) =>
	received.map((each) => {
		const { data } = eventIn(each);
		return 'payable' in data ? Number(data.payable.id.slice(4)) : NaN;
	});

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
export const sorted = (numbers: number[]) => [...numbers].sort((a, b) => a - b);
