import type { XStatic } from 'typebox/schema';
import { eventTypes } from '../network/events';
import { faultKind, faultOf, FaultRegistry, type Active } from '../shared/faultRegistry';
import { object, text } from '../shared/jsonSchema';
import { chance } from '../shared/random';
import type { QueuedDelivery } from './queue';

/** Which deliveries a fault strikes; what is left out matches everything. */
const match = object({
	eventType: { type: 'string', enum: eventTypes },
	subscriptionId: text,
	workspaceId: text,
});

const ms = { type: 'integer', minimum: 0, maximum: 1e9 } as const;

const copies = { type: 'integer', minimum: 2, maximum: 100 } as const;
const bytes = { type: 'integer', minimum: 1, maximum: 2 ** 28 } as const;

/** Waits are on the sandbox's clock. What is not said to be signed in another way is signed well. */
export const deliveryFaultSchema = faultOf(
	faultKind('delay', 'Deliver late', { match, ms }, ['ms']),
	faultKind('reorder', 'Deliver at any time within', { match, ms }, ['ms']),
	faultKind('drop', 'Never deliver', { match }, []),
	faultKind('duplicate', 'Deliver several times at once', { match, copies }, ['copies']),
	faultKind('forged_signature', 'Sign with a secret that no subscription has', { match }, []),
	faultKind('missing_signature', 'Send no signature', { match }, []),
	faultKind('foreign_signature', 'Sign with the secret of another workspace', { match }, []),
	faultKind('stale', 'Send the oldest delivered event along', { match }, []),
	faultKind('malformed', 'Send this, or half of the JSON', { match, body: { type: 'string' } }, []),
	faultKind('oversized', 'Send a body that is too large', { match, bytes }, ['bytes']),
);

/** What goes wrong with deliveries. A fault strikes attempts: a failed one is retried as usual. */
export type DeliveryFault = XStatic<typeof deliveryFaultSchema>;

/** A fault that was injected; `remaining` is null for one that lasts until it is cleared. */
export type ActiveDeliveryFault = Active<DeliveryFault>;

/** A fault that decides when a delivery goes out, or whether. */
export type TimingFault = Extract<DeliveryFault, { kind: 'delay' | 'reorder' | 'drop' }>;
/** A fault that changes what goes out. */
export type PayloadFault = Exclude<DeliveryFault, TimingFault>;

export const isTiming = (fault: DeliveryFault): fault is TimingFault =>
	fault.kind === 'delay' || fault.kind === 'reorder' || fault.kind === 'drop';

export class DeliveryFaults extends FaultRegistry<DeliveryFault> {
	/** Uses the first fault of some that strikes the next attempt of a delivery. */
	useFirst<F extends DeliveryFault>(
		delivery: QueuedDelivery,
		seed: number,
		isCandidate: (fault: DeliveryFault) => fault is F,
	): F | undefined {
		for (const fault of this.list()) {
			if (isCandidate(fault) && appliesTo(fault, delivery, seed)) {
				this.use(fault);
				return fault;
			}
		}

		return undefined;
	}
}

function appliesTo(fault: ActiveDeliveryFault, delivery: QueuedDelivery, seed: number): boolean {
	const { eventType, subscriptionId, workspaceId } = fault.match ?? {};
	const { event } = delivery;
	const isMatch =
		(eventType === undefined || eventType === event.event_type) &&
		(subscriptionId === undefined || subscriptionId === delivery.subscriptionId) &&
		(workspaceId === undefined || workspaceId === event.workspace_id);
	if (!isMatch || fault.ratio === undefined) {
		return isMatch;
	}

	return chance(seed, 'fault', fault.id, ...attemptKey(delivery)) < fault.ratio;
}

/** Identifies an attempt within a run, and is the same in another run with the same seed. */
export const attemptKey = ({
	sequence,
	subscriptionSequence,
	attempts,
}: QueuedDelivery): number[] => [sequence, subscriptionSequence, attempts];
