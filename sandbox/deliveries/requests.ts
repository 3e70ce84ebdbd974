import { createHmac } from 'node:crypto';
import { newSecret } from '../shared/ids';
import type { Settings } from '../shared/settings';
import { serializeEvents } from './envelopes';
import type { FaultOf, PayloadFault } from './delivery-faults';
import type { QueuedDelivery } from './queue';

/** A POST to a subscriber, with the deliveries that it carries. */
export interface DeliveryRequest {
	url: string;
	body: string;
	signature: Record<string, string>;
	deliveries: [QueuedDelivery, ...QueuedDelivery[]];
	settings: Settings;
	at: Date;
}

export function buildRequest(
	settings: Settings,
	at: Date,
	first: QueuedDelivery,
	rest: QueuedDelivery[] = [],
): DeliveryRequest {
	const deliveries: DeliveryRequest['deliveries'] = [first, ...rest];
	const events = deliveries.map(({ event }) => event);
	const body = serializeEvents(settings, events);
	return signed({ url: first.subscription.url, deliveries, body, settings, at });
}

const encodings: Record<Settings['signatureEncoding'], (hmac: Buffer) => string> = {
	hex: (hmac) => hmac.toString('hex'),
	base64: (hmac) => hmac.toString('base64'),
	prefixed: (hmac) => `sha256=${hmac.toString('hex')}`,
};

/** HMAC-SHA256, by default with the subscription's secret. */
function signed(
	request: Omit<DeliveryRequest, 'signature'>,
	secret = request.deliveries[0].subscription.secret,
): DeliveryRequest {
	const { signatureScheme, signatureHeader, signatureEncoding } = request.settings;
	if (signatureScheme === 'none') return { ...request, signature: {} };
	const encode = (text: string): string =>
		encodings[signatureEncoding](createHmac('sha256', secret).update(text).digest());
	const seconds = Math.floor(request.at.getTime() / 1000);
	const value =
		signatureScheme === 'body'
			? encode(request.body)
			: `t=${seconds},v1=${encode(`${seconds}.${request.body}`)}`;
	return { ...request, signature: { [signatureHeader]: value } };
}

interface Material {
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
	missing_signature: (request) => [{ ...request, signature: {} }],
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
