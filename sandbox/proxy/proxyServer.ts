import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_ROOT, type HostContract, type MatchedOperation } from '../contract/contract';
import { readBody } from '../http/body';
import { readRequest } from '../http/host';
import { HttpError, type FieldError } from '../shared/errors';
import { toContractRequest, type ServiceRequest, type ServiceResponse } from '../http/messages';
import { observeAnswer } from './answerObservers';
import { contractDifferences } from './contractCheck';
import { observeDelivery, secretsIn } from './deliveryObservers';
import { readText, shapeOf, type Exchange, type Fields } from './exchange';
import { forward } from './forward';
import { MoneyObserver } from './moneyObserver';
import { ProxyReport, renderReport } from './report';

export interface ProxyTarget {
	/** The REST root of the service. */
	apiUrl: string;
	/** The root of its authentication. */
	authUrl: string | undefined;
	/** Whether subscriptions are given an address of the proxy, so that it sees the deliveries. */
	relaysDeliveries: boolean;
	/** Where the report is written, beside its address. */
	reportFile: string | undefined;
}

const RELAY = '/relay';
export const REPORT_PATH = '/_sandbox/report';

/** A subscription whose deliveries come by the proxy. */
interface Relayed {
	url: string;
	secrets: string[];
}

/** Passes requests on to a service, and takes note of where it is not as the contract has it. */
export class Proxy {
	private readonly money = new MoneyObserver();
	private readonly report: ProxyReport;
	private readonly relayed = new Map<string, Relayed>();
	private written = '';

	/** @param origin where the service reaches the proxy; known once it listens */
	constructor(
		private readonly target: ProxyTarget,
		private readonly origin: () => string,
	) {
		this.report = new ProxyReport(target.apiUrl, () => this.money.conclusions());
	}

	/** Answers a request of the REST API, also one that the contract does not have. */
	async passApi(
		contract: HostContract,
		match: MatchedOperation | undefined,
		request: ServiceRequest,
	): Promise<ServiceResponse> {
		const isOwn = !request.path.startsWith(`${API_ROOT}/`);
		if (isOwn) {
			throw new HttpError(404, 'unknown_endpoint', `The proxy has no ${request.path}.`);
		}

		// The authorization has the host of the API, and not its root.
		const isBelowRoot = match?.template !== request.path;
		const root = isBelowRoot ? this.target.apiUrl : new URL(this.target.apiUrl).origin;
		const path = isBelowRoot ? request.path.slice(API_ROOT.length) : request.path;
		return await this.pass(contract, match, request, root + path);
	}

	/** Answers a request of the authentication host. */
	async passAuthentication(
		contract: HostContract,
		match: MatchedOperation | undefined,
		request: ServiceRequest,
	): Promise<ServiceResponse> {
		const { authUrl = new URL(this.target.apiUrl).origin } = this.target;
		return await this.pass(contract, match, request, authUrl + request.path);
	}

	/** Serves the report, and takes in deliveries. */
	serve(app: FastifyInstance): void {
		app.get('/', async (_, reply) => await reply.redirect(REPORT_PATH, 303));
		app.get(REPORT_PATH, async (_, reply) => {
			void reply.header('content-type', 'text/markdown; charset=utf-8');
			return await reply.send(renderReport(this.report.view()));
		});

		app.get(`${REPORT_PATH}.json`, () => this.report.view());
		app.post<{ Params: { key: string } }>(`${RELAY}/:key`, async (request, reply) => {
			const found = this.relayed.get(request.params.key);
			if (found === undefined) {
				return await reply.code(404).send({});
			}

			const { status, headers, text } = await this.relay(found, request);
			return await reply.code(status).headers(headers).send(text);
		});
	}

	/** Writes the report into its file, when there is one and it says something new. */
	write(): void {
		const { reportFile } = this.target;
		if (reportFile === undefined) {
			return;
		}

		const report = renderReport(this.report.view());
		if (report !== this.written) {
			writeFileSync(reportFile, report);
			this.written = report;
		}
	}

	private async pass(
		contract: HostContract,
		match: MatchedOperation | undefined,
		request: ServiceRequest,
		url: string,
	): Promise<ServiceResponse> {
		const query = new URL(request.url, 'http://localhost').search;
		const relay = this.relayFor(match, request);
		const response = await forward(url + query, request, relay?.body);
		const text = response.text ?? '';
		const exchange: Exchange = {
			match,
			request,
			body: bodyOf(request),
			requestErrors: requestErrors(contract, match, request),
			status: response.status,
			headers: response.headers,
			answer: readText(text),
		};

		relay?.subscription.secrets.push(...secretsIn(exchange.answer));
		this.note(contract, exchange);
		return relay === undefined
			? response
			: { ...response, text: text.replaceAll(relay.url, relay.subscription.url) };
	}

	private note(contract: HostContract, exchange: Exchange): void {
		const { match, request, status, answer } = exchange;
		if (match === undefined) {
			this.report.noteUnknownCall(request.method, request.path);
			return;
		}

		const { operationId } = match;
		this.report.noteCall(operationId);
		const example = `${operationId} ${status} ${shapeOf(answer)}`;
		for (const observation of [...observeAnswer(exchange), ...this.money.observe(exchange)]) {
			this.report.note(observation, example);
		}

		if (operationId === 'authorize') {
			return;
		}

		for (const difference of contractDifferences(contract, exchange)) {
			this.report.noteDifference(operationId, difference);
		}
	}

	/** An address of the proxy for a subscription, and the body that asks for it. */
	private relayFor(
		match: MatchedOperation | undefined,
		request: ServiceRequest,
	): { url: string; subscription: Relayed; body: Buffer } | undefined {
		const body = bodyOf(request);
		const isWanted = match?.operationId === 'createWebhookSubscription';
		if (!isWanted || !this.target.relaysDeliveries || typeof body['url'] !== 'string') {
			return undefined;
		}

		const key = randomBytes(24).toString('base64url');
		const subscription: Relayed = { url: body['url'], secrets: [] };
		this.relayed.set(key, subscription);

		const url = `${this.origin()}${RELAY}/${key}`;
		return { url, subscription, body: Buffer.from(JSON.stringify({ ...body, url })) };
	}

	private async relay(
		{ url, secrets }: Relayed,
		request: FastifyRequest,
	): Promise<ServiceResponse> {
		const received = readRequest(request);
		const body = received.body.toString('utf8');
		this.report.noteDelivery();
		this.money.noteDelivery(body);
		for (const observation of observeDelivery({ headers: headersOf(request), body, secrets })) {
			this.report.note(observation, `delivery ${shapeOf(readText(body))}`);
		}

		return await forward(url, received);
	}
}

/** The headers as they were written: Node.js gives the names in lower case. */
function headersOf({ raw }: FastifyRequest): [string, string][] {
	const { rawHeaders } = raw;
	const headers: [string, string][] = [];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		headers.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
	}

	return headers;
}

function bodyOf(request: ServiceRequest): Fields {
	if (request.body.length === 0) {
		return {};
	}

	try {
		return readBody(request, 'application/json', 'application/x-www-form-urlencoded');
	} catch {
		// The service says what it makes of it.
		return {};
	}
}

function requestErrors(
	contract: HostContract,
	match: MatchedOperation | undefined,
	request: ServiceRequest,
): FieldError[] {
	if (match === undefined) {
		return [];
	}

	const body = match.operation.requestBody === undefined ? undefined : bodyOf(request);
	return contract.requestErrors(match, toContractRequest(request, body));
}
