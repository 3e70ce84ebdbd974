import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import type { Random } from '../../random';

/** The most deliveries in flight at once. */
export const MAX_IN_FLIGHT = 50;

const BASE_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 3_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** The sender gives up when an event is still not accepted after this many attempts. */
const MAX_ATTEMPTS = 60;
const IDLE_INTERVAL_MS = 5;
/** How long a pause lasts after the last answer; n8n exits when it is idle for half a second. */
const PAUSE_MS = 1_000;
/** The longest wait for an answer before a connection is dropped on purpose. */
const MAX_DROP_DELAY_MS = 400;

/** An event as it is sent. */
export interface Message {
	id: string;
	body: string;
}

/** Counts of what happened to the deliveries. */
export interface Figures {
	/** All requests. */
	attempts: number;
	/** Answered 2xx. */
	accepted: number;
	/** Answered 2xx as a duplicate. */
	ignored: number;
	/** Answers other than 2xx, by status. */
	refused: Map<number, number>;
	/** Connections that broke. */
	broken: number;
	/** Connections that the sender dropped itself, before the answer. */
	dropped: number;
}

/** How to send. */
export interface SenderOptions {
	url: string;
	secret: string;
	/** Drops this share of the connections before the answer, as a sender with a short timeout does. */
	dropping?: { share: number; random: Random };
	/** Called after each accepted delivery. */
	onAccepted?: (accepted: number) => void;
}

/**
 * Sends signed events as a service does that delivers at least once: any answer but 2xx, and a
 * broken connection, is sent again later, unless the same event has been accepted in the meantime.
 */
export class Sender {
	readonly figures: Figures = {
		attempts: 0,
		accepted: 0,
		ignored: 0,
		refused: new Map(),
		broken: 0,
		dropped: 0,
	};

	private readonly acceptedIds = new Set<string>();

	private inFlight = 0;

	private pausedUntil = 0;

	constructor(private readonly options: SenderOptions) {}

	/**
	 * Sends nothing until everything in flight is answered, and a little longer: n8n exits only when it
	 * is idle, and under a steady stream would be killed at the end of its grace period.
	 */
	pause(): void {
		this.pausedUntil = Infinity;
	}

	/** Sends the messages in this order, many at once, and returns when all are accepted. */
	async deliver(messages: Message[]): Promise<void> {
		const pending = messages.values();
		const work = async (): Promise<void> => {
			for (const message of pending) await this.deliverUntilAccepted(message);
		};
		await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, work));
	}

	private async deliverUntilAccepted(message: Message): Promise<void> {
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
			while (Date.now() < this.pausedUntil) await delay(IDLE_INTERVAL_MS);
			// Another delivery of the same event may have been accepted in the meantime.
			if (attempt > 0 && this.acceptedIds.has(message.id)) return;
			if (await this.attempt(message)) return;
			await delay(Math.min(BASE_BACKOFF_MS * 2 ** attempt, MAX_BACKOFF_MS));
		}
		throw new Error(`${message.id} was sent ${MAX_ATTEMPTS} times without success`);
	}

	/** Returns whether the message is accepted. */
	private async attempt(message: Message): Promise<boolean> {
		this.figures.attempts += 1;
		this.inFlight += 1;
		const dropDelayMs = this.dropDelayMs();
		const isAccepted = await this.post(message, dropDelayMs).then(
			({ status, text }) => {
				this.count(status, text);
				return status < 300;
			},
			(error: unknown) => {
				const isDropped = dropDelayMs !== undefined && isTimeout(error);
				this.figures[isDropped ? 'dropped' : 'broken'] += 1;
				return false;
			},
		);
		this.inFlight -= 1;
		if (this.inFlight === 0 && this.pausedUntil === Infinity) {
			this.pausedUntil = Date.now() + PAUSE_MS;
		}
		if (isAccepted) this.acceptedIds.add(message.id);
		return isAccepted;
	}

	private dropDelayMs(): number | undefined {
		const { dropping } = this.options;
		if (dropping === undefined || dropping.random() >= dropping.share) return undefined;
		return Math.ceil(dropping.random() * MAX_DROP_DELAY_MS);
	}

	private count(status: number, text: string): void {
		const { figures } = this;
		if (status >= 300) {
			figures.refused.set(status, (figures.refused.get(status) ?? 0) + 1);
			return;
		}
		figures.accepted += 1;
		if (text.includes('Nothing new')) figures.ignored += 1;
		this.options.onAccepted?.(figures.accepted);
	}

	/** @throws when there is no answer, or none within `dropDelayMs` */
	private async post(
		{ body }: Message,
		dropDelayMs = REQUEST_TIMEOUT_MS,
	): Promise<{ status: number; text: string }> {
		const signature = createHmac('sha256', this.options.secret).update(body).digest('hex');
		const answer = await fetch(this.options.url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', 'X-Signature': signature },
			body,
			signal: AbortSignal.timeout(dropDelayMs),
		});
		return { status: answer.status, text: await answer.text() };
	}
}

const isTimeout = (error: unknown): boolean =>
	error instanceof DOMException && error.name === 'TimeoutError';
