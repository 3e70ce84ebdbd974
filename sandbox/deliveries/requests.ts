import { newSecret } from '../shared/ids';
import { write, type Writing } from './envelopes';
import type { ContentFault, FaultOf } from './faults';
import type { Due } from './queue';
import type { Parcel } from './sender';
import { sign } from './signing';

/** What a fault can draw on to change what is sent. */
interface Supplies {
	/** Secret of another workspace's subscription. */
	foreignSecret: string | undefined;
	/** The POST of an event that was delivered long ago, with the signature it had. */
	stale: Packed | undefined;
}

/** A POST with the deliveries that it is about. */
export interface Packed extends Parcel {
	deliveries: [Due, ...Due[]];
}

/** Packs deliveries of one subscription into one POST, rightly signed. */
export function pack(writing: Writing, first: Due, rest: Due[] = []): Packed {
	const deliveries: Packed['deliveries'] = [first, ...rest];
	const events = deliveries.map(({ event }) => event);
	return signed({ url: first.subscription.url, deliveries, body: write(writing, events) });
}

/** Signs with the subscription's own secret, unless there is another one. */
const signed = (
	parcel: Omit<Packed, 'signature'>,
	secret = parcel.deliveries[0].subscription.secret,
): Packed => ({ ...parcel, signature: sign(secret, parcel.body) });

type Change<K extends ContentFault['kind']> = (
	parcel: Packed,
	fault: FaultOf<K>,
	supplies: Supplies,
) => Packed[];

const changes: { [K in ContentFault['kind']]: Change<K> } = {
	duplicate: (parcel, { copies }) => Array.from({ length: copies }, () => parcel),
	forged_signature: (parcel) => [signed(parcel, newSecret())],
	missing_signature: (parcel) => [{ ...parcel, signature: undefined }],
	foreign_signature: (parcel, _, { foreignSecret }) => [
		signed(parcel, foreignSecret ?? newSecret()),
	],
	stale: (parcel, _, { stale }) => (stale === undefined ? [parcel] : [parcel, stale]),
	malformed: (parcel, { body = parcel.body.slice(0, parcel.body.length / 2) }) => [
		signed({ ...parcel, body }),
	],
	oversized: (parcel, { bytes }) => {
		const missing = Math.max(0, bytes - Buffer.byteLength(parcel.body));
		const body = parcel.body + ' '.repeat(missing);
		return [signed({ ...parcel, body })];
	},
};

/** What goes out in place of a POST that a fault has struck; the answer to the first one counts. */
export function spoil<K extends ContentFault['kind']>(
	parcel: Packed,
	fault: FaultOf<K>,
	supplies: Supplies,
): Packed[] {
	return changes[fault.kind](parcel, fault, supplies);
}
