import { request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import type { Client } from '../../nodes/PartnerPayments/api/client';
import { WaitTimer } from '../../nodes/PartnerPayments/api/http/clock';
import type { ServiceRequest } from '../../nodes/PartnerPayments/api/http/message';
import { networkFailure } from '../../nodes/PartnerPayments/api/http/networkFailure';
import type { AttemptResult } from '../../nodes/PartnerPayments/api/http/outcome';
import {
	RetryableRequest,
	sendWithRetries,
	type RequestContext,
} from '../../nodes/PartnerPayments/api/http/retryableRequest';
import type { ResponseReader } from '../../nodes/PartnerPayments/api/responseReaders';
import { die, type Faults } from './faults';
import { ENVIRONMENT, HEADERS, type Task } from './messages';

/** So much faster time passes while a request waits to be repeated. */
const HASTE = 20;

const clock = {
	now: () => performance.now(),
	wait: async (ms: number): Promise<void> => {
		await delay(ms / HASTE);
	},
};

/** Connects a task to the service, with the package's own code for what is repeated, and when. */
export function clientFor(task: Task, port: number, faults: Faults): Client {
	const waitTimer = new WaitTimer(clock);
	const rateLimiter = { acquire: async () => await Promise.resolve(() => undefined) };
	const context = {
		clock,
		waitTimer,
		signal: undefined,
		host: 'service.example.com',
		rateLimiter: () => rateLimiter,
	} as unknown as RequestContext;

	const retryableRequest = <Value>(request: ServiceRequest, reader: ResponseReader<Value>) =>
		new RetryableRequest(
			request,
			context,
			async () => await attempt(request, task, port, faults),
			({ body }) => reader.read(body) ?? unread(reader.expected),
		);

	const client = {
		credentialType: 'partnerPaymentsApi',
		environment: ENVIRONMENT,
		credentials: {},
		waitTimer,
		retryableRequest,
		send: async <Value>(request: ServiceRequest, reader: ResponseReader<Value>) =>
			await sendWithRetries(retryableRequest(request, reader)),
	};
	return client as unknown as Client;
}

async function attempt(
	request: ServiceRequest,
	task: Task,
	port: number,
	faults: Faults,
): Promise<AttemptResult> {
	const fault = await faults.ofService(request.path);
	switch (fault) {
		case 'diesBefore':
			return await die();
		case 'diesDuring':
			void send(request, task, port, 'slow');
			await faults.breathe();
			return await die();
		case 'diesAfter':
			await send(request, task, port);
			return await die();
		default:
			return await send(request, task, port, fault);
	}
}

async function send(
	{ method, path, body }: ServiceRequest,
	{ id, round }: Task,
	port: number,
	fault = '',
): Promise<AttemptResult> {
	const headers = {
		'content-type': 'application/json',
		[HEADERS.task]: id,
		[HEADERS.round]: round,
		[HEADERS.sentAt]: Date.now(),
		[HEADERS.fault]: fault,
	};

	return await new Promise<AttemptResult>((resolve) => {
		const fail = (error: unknown): void => {
			resolve({ kind: 'unanswered', failure: networkFailure(error) });
		};
		const options = { host: '127.0.0.1', port, method, path, headers, agent: false };
		const sent = httpRequest(options, (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (chunk: string) => (text += chunk));
			response.on('error', fail);
			response.on('end', () => {
				resolve({
					kind: 'answered',
					status: response.statusCode ?? 0,
					body: JSON.parse(text) as unknown,
				});
			});
		});
		sent.on('error', fail);
		sent.end(body === undefined ? undefined : JSON.stringify(body));
	});
}

function unread(expected: string): never {
	throw new Error(`The service answered without ${expected}`);
}
