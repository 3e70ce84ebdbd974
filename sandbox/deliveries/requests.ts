import { createHmac } from 'node:crypto';
import { newSecret } from '../shared/ids';
import type { Settings } from '../shared/settings';
import { serializeEvents } from './envelopes';
import type { PayloadFault } from './deliveryFaults';
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

/** All headers of a POST, beside what every one of them has. */
export function headersOf({ signature, deliveries, at }: DeliveryRequest): Record<string, string> {
	const [first] = deliveries;
	return {
		...signature,
		'Content-Type': 'application/json',
		'X-Delivery-Id': deliveries.map(({ id }) => id).join(', '),
		'X-Delivery-Attempt': String(first.attempts + 1),
		'X-Delivery-Time': at.toISOString(),
	};
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
	return signed({ url: first.url, deliveries, body, settings, at });
}

const encodings: Record<Settings['signatureEncoding'], (hmac: Buffer) => string> = {
	hex: (hmac) => hmac.toString('hex'),
	base64: (hmac) => hmac.toString('base64'),
	prefixed: (hmac) => `sha256=${hmac.toString('hex')}`,
};

/** HMAC-SHA256, by default with the subscription's secret. */
function signed(
	request: Omit<DeliveryRequest, 'signature'>,
	secret = request.deliveries[0].secret,
): DeliveryRequest {
	const { signatureScheme, signatureHeader, signatureEncoding } = request.settings;
	if (signatureScheme === 'none') {
		return { ...request, signature: {} };
	}

	const encode = (text: string): string => {
		const hmac = createHmac('sha256', secret).update(text).digest();
		return encodings[signatureEncoding](hmac);
	};

	if (signatureScheme === 'body') {
		return { ...request, signature: { [signatureHeader]: encode(request.body) } };
	}

	const seconds = Math.floor(request.at.getTime() / 1000);
	const signature = encode(`${seconds}.${request.body}`);
	return { ...request, signature: { [signatureHeader]: `t=${seconds},v1=${signature}` } };
}

/** The requests that a fault makes of one; the answer to the first of them counts. */
export function corruptRequest(
	request: DeliveryRequest,
	fault: PayloadFault,
	/** A secret of another workspace, and the POST of an event that was delivered before. */
	material: { foreignSecret: string | undefined; stale: DeliveryRequest | undefined },
): DeliveryRequest[] {
	switch (fault.kind) {
		case 'duplicate':
			return Array.from({ length: fault.copies }, () => request);
		case 'forged_signature':
			return [signed(request, newSecret())];
		case 'missing_signature':
			return [{ ...request, signature: {} }];
		case 'foreign_signature':
			return [signed(request, material.foreignSecret ?? newSecret())];
		case 'stale':
			return [request, material.stale].filter((each) => each !== undefined);
		case 'malformed': {
			const body = fault.body ?? request.body.slice(0, request.body.length / 2);
			return [signed({ ...request, body })];
		}

		case 'oversized': {
			const missing = Math.max(0, fault.bytes - Buffer.byteLength(request.body));
			return [signed({ ...request, body: request.body + ' '.repeat(missing) })];
		}
	}
}
