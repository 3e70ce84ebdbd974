import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of the body as it is sent, under the subscription's secret, as lower-case hex. */
export const sign = (secret: string, body: string): string =>
	createHmac('sha256', secret).update(body).digest('hex');
