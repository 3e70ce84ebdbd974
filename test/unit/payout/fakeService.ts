import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../nodes/PartnerPayments/api/client';
import { WaitTimer, type Clock } from '../../../nodes/PartnerPayments/api/http/clock';
import { unreadableError } from '../../../nodes/PartnerPayments/api/http/errors';
import type { ServiceRequest } from '../../../nodes/PartnerPayments/api/http/message';
import { networkFailure } from '../../../nodes/PartnerPayments/api/http/networkFailure';
import type { AttemptResult } from '../../../nodes/PartnerPayments/api/http/outcome';
import { RateLimiter } from '../../../nodes/PartnerPayments/api/http/rateLimiter';
import {
	RetryableRequest,
	sendWithRetries,
} from '../../../nodes/PartnerPayments/api/http/retryableRequest';
import type { ResponseReader } from '../../../nodes/PartnerPayments/api/responseReaders';

/** A status, a body, or no answer: the connection never opened, or broke after the request. */
export type Answer = number | IDataObject | 'unopened' | 'cut';

/** Answers one request, which is told as in the log; undefined lets the service do what it is asked. */
export type AnswerTo = (asked: string) => Answer | undefined | Promise<Answer | undefined>;

/** A service behind the client's own retries, whose waits take no time. */
export class FakeService {
	answerTo: AnswerTo = () => undefined;
	private fundings = 0;
	private time = 0;
	private readonly clock: Clock = {
		now: () => this.time,
		wait: async (ms) => {
			this.time += ms;
			await Promise.resolve();
		},
	};
	readonly rateLimiter = new RateLimiter(this.clock, { requests: 10_000, windowMs: 60_000 });

	/** @param log gets what the service is asked, such as "fund INV-1 INV-2", in its order */
	constructor(
		private readonly log: string[],
		private readonly signal?: AbortSignal,
	) {}

	get client(): Client {
		const client: Partial<Record<keyof Client, unknown>> = {
			send: async (request: ServiceRequest, reader: ResponseReader<unknown>) =>
				await sendWithRetries(this.retryableRequest(request, reader)),
			retryableRequest: this.retryableRequest.bind(this),
			credentials: {},
		};
		return client as Client;
	}

	private retryableRequest<Value>(
		request: ServiceRequest,
		{ read, expected }: ResponseReader<Value>,
	): RetryableRequest<Value> {
		const { clock, signal, rateLimiter } = this;
		const waitTimer = new WaitTimer(clock);
		const context = { clock, waitTimer, signal, rateLimiter: () => rateLimiter, host: 'x.test' };
		const attempt = async () => await this.attempt(request);
		return new RetryableRequest(request, context, attempt, ({ body, status }) => {
			const value = read(body);
			if (value === undefined) {
				throw unreadableError(request, expected, status);
			}
			return value;
		});
	}

	private async attempt(request: ServiceRequest): Promise<AttemptResult> {
		const asked = askedIn(request);
		this.log.push(asked);
		const answer = (await this.answerTo(asked)) ?? this.bodyFor(asked);

		if (answer === 'unopened' || answer === 'cut') {
			const code = answer === 'cut' ? 'ECONNRESET' : 'ECONNREFUSED';
			return { kind: 'unanswered', failure: networkFailure({ code }) };
		}
		return typeof answer === 'number'
			? { kind: 'answered', status: answer, body: { message: 'No' } }
			: { kind: 'answered', status: 200, body: answer };
	}

	/** What the service answers when it does what it is asked. */
	private bodyFor(asked: string): IDataObject {
		const [verb = '', subject = ''] = asked.split(' ');
		switch (verb) {
			case 'create':
				return { id: `pay-${subject}` };
			case 'fund':
				this.fundings += 1;
				return { id: `fund-${this.fundings}` };
			case 'wallet':
				return { balance: 1_000_000 };
			case 'invoice':
				return { pdf_url: `https://x.test/${subject}.pdf` };
			default:
				return {};
		}
	}
}

/** Tells a request in a word, and the references that it is about. */
function askedIn({ path, body = {} }: ServiceRequest): string {
	if (path === '/payable') {
		const [, reference = ''] = /\[(.+)\]/.exec(JSON.stringify(body.description)) ?? [];
		return `create ${reference}`;
	}
	if (path === '/funding') {
		const ids = JSON.stringify(body.payable_ids).matchAll(/"pay-([^"]+)"/g);
		return `fund ${[...ids].map(([, reference]) => reference).join(' ')}`;
	}

	const [, id = ''] = /^\/\w+\/([^/]+)/.exec(path) ?? [];
	if (path.endsWith('/approve')) {
		return `approve ${id.replace('pay-', '')}`;
	}
	return path.endsWith('/wallet') ? 'wallet' : `invoice ${id}`;
}
