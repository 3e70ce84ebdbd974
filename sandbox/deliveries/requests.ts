import { createHmac } from 'node:crypto';
import { newSecret } from '../shared/ids';
import { serializeEvents, type PayloadFormat } from './envelopes';
import type { FaultOf, PayloadFault } from './faults';
import type { QueuedDelivery } from './queue';

/** A POST to a subscriber, with the deliveries that it carries. */
export interface DeliveryRequest {
	url: string;
	body: string;
	/** Undefined sends none. */
	signature: string | undefined;
	deliveries: [QueuedDelivery, ...QueuedDelivery[]];
}

/** Builds one signed POST for deliveries of one subscription. */
export function buildRequest(
	format: PayloadFormat,
	first: QueuedDelivery,
	rest: QueuedDelivery[] = [],
): DeliveryRequest {
	const deliveries: DeliveryRequest['deliveries'] = [first, ...rest];
	const events = deliveries.map(({ event }) => event);
	const body = serializeEvents(format, events);
	return signed({ url: first.subscription.url, deliveries, body });
}

/** HMAC-SHA256 of the body as it is sent, as lower-case hex; by default with the subscription's secret. */
const signed = (
	request: Omit<DeliveryRequest, 'signature'>,
	secret = request.deliveries[0].subscription.secret,
): DeliveryRequest => ({
	...request,
	signature: createHmac('sha256', secret).update(request.body).digest('hex'),
});

/** What a fault needs beside the request to change it. */
interface Material {
	/** Secret of another workspace's subscription. */
	foreignSecret: string | undefined;
	/** The POST of an event that was delivered before, with the signature it had. */
	staleRequest: DeliveryRequest | undefined;
}

type Corruption<Kind extends PayloadFault['kind']> = (
	request: DeliveryRequest,
	fault: FaultOf<Kind>,
	material: Material,
) => DeliveryRequest[];

const corruptions: { [Kind in PayloadFault['kind']]: Corruption<Kind> } = {
	duplicate: (request, { copies }) => Array.from({ length: copies }, () => request),
	forged_signature: (request) => [signed(request, newSecret())],
	missing_signature: (request) => [{ ...request, signature: undefined }],
	foreign_signature: (request, _, { foreignSecret }) => [
		signed(request, foreignSecret ?? newSecret()),
	],
	stale: (request, _, { staleRequest }) =>
		staleRequest === undefined ? [request] : [request, staleRequest],
	malformed: (request, { body = request.body.slice(0, request.body.length / 2) }) => [
		signed({ ...request, body }),
	],
	oversized: (request, { bytes }) => {
		const missing = Math.max(0, bytes - Buffer.byteLength(request.body));
		return [signed({ ...request, body: request.body + ' '.repeat(missing) })];
	},
};

/** The requests that a fault makes of one; the answer to the first of them counts. */
export const corruptRequest = <Kind extends PayloadFault['kind']>(
	request: DeliveryRequest,
	fault: FaultOf<Kind>,
	material: Material,
): DeliveryRequest[] => corruptions[fault.kind](request, fault, material);
