import { randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';

import axios, { type AxiosInstance, type Method } from 'axios';

/** The one user of an n8n who has signed in, and what proves that. */
export interface Session {
	/** n8n wants a capital and a digit in the password. */
	owner: { email: string; password: string };
	/** A key of the public API with every scope, once {@link N8nClient.setUpOwner} has created it. */
	apiKey: string;
	/** The cookie of the editor's API, as `name=value`. */
	cookie: string;
}

/** n8n ties a session to the browser that has begun it. */
export const BROWSER_ID = 'driver';

const newSession = (): Session => ({
	owner: {
		email: 'demo@example.com',
		password: `${randomBytes(18).toString('base64url')}A1`,
	},
	apiKey: '',
	cookie: '',
});

/** HTTP client of an n8n, signed in as its owner. */
export class N8nClient {
	private readonly http: AxiosInstance;

	/**
	 * @param url the address of n8n
	 * @param session of a user who has signed in already
	 */
	constructor(
		readonly url: string,
		readonly session: Session = newSession(),
	) {
		this.http = axios.create({
			baseURL: url,
			proxy: false,
			// n8n may close an idle connection at the moment when the next request is sent on it.
			httpAgent: new Agent({ keepAlive: false }),
			validateStatus: () => true,
			headers: { 'browser-id': BROWSER_ID },
		});
	}

	/** Creates the first user of an n8n that has none, and an API key with every scope. */
	async setUpOwner(): Promise<void> {
		await this.rest('POST', '/owner/setup', {
			...this.session.owner,
			firstName: 'Demo',
			lastName: 'User',
		});

		this.session.apiKey = await this.createApiKey();
	}

	/**
	 * Creates a key of the public API.
	 *
	 * @param isWanted whether the key has a scope; it has every one unless told otherwise
	 */
	async createApiKey(isWanted: (scope: string) => boolean = () => true): Promise<string> {
		const scopes = await this.rest<string[]>('GET', '/api-keys/scopes');
		const { rawApiKey } = await this.rest<{ rawApiKey: string }>('POST', '/api-keys', {
			label: `driver ${randomUUID()}`,
			scopes: scopes.filter(isWanted),
			expiresAt: null,
		});

		return rawApiKey;
	}

	/** Starts a new session, which n8n forgets when it is restarted. */
	async logIn(): Promise<void> {
		const { email, password } = this.session.owner;
		await this.rest('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Calls the editor's own API (`/rest`), which wants a session. */
	async rest<Answer>(method: Method, path: string, data?: object): Promise<Answer> {
		const answer = await this.request<{ data: Answer }>(method, `/rest${path}`, data);
		return answer.data;
	}

	/** Calls the public API (`/api/v1`), which wants an API key, and a JSON body in every POST. */
	async publicApi<Answer>(method: Method, path: string, data?: object): Promise<Answer> {
		const body = method === 'POST' ? {} : undefined;
		return await this.request<Answer>(method, `/api/v1${path}`, data ?? body);
	}

	/** The types of nodes or credentials that the editor offers. */
	async types<Type>(kind: 'nodes' | 'credentials'): Promise<Type[]> {
		return await this.request<Type[]>('GET', `/types/${kind}.json`);
	}

	/** Calls a production webhook. Every status is an answer. */
	async callWebhook(
		path: string,
		body: unknown,
		headers: Record<string, string> = {},
	): Promise<{ status: number; data: unknown }> {
		const { status, data } = await this.http.post<unknown>(`/webhook/${path}`, body, { headers });
		return { status, data };
	}

	private async request<Answer>(method: Method, url: string, data?: object): Promise<Answer> {
		const answer = await this.http.request<Answer & { message?: string }>({
			method,
			url,
			data,
			headers: { 'X-N8N-API-KEY': this.session.apiKey, Cookie: this.session.cookie },
		});
		if (answer.status >= 400) {
			const message = answer.data.message ?? JSON.stringify(answer.data);
			throw new Error(`n8n answered ${answer.status} to ${method} ${url}: ${message}`);
		}

		const [cookie] = answer.headers['set-cookie'] ?? [];
		if (cookie) {
			const [pair = ''] = cookie.split(';');
			this.session.cookie = pair;
		}

		return answer.data;
	}
}
