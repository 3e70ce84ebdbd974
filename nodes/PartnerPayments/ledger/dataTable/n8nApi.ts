import type { Clock } from '../../service/http/clock';
import { networkFailure } from '../../service/http/networkFailure';
import type { LedgerError } from '../ledger';
import type { ApiAnswer, ApiRequest, SendToN8n } from './apiRequest';
import { answerError, blockedError, unreachableError } from './apiErrors';

/** An answer that n8n gave, maybe after attempts that it did not answer. */
export interface ApiResult {
	body: unknown;
	/** Whether an earlier attempt may have taken effect as well. */
	isRepeated: boolean;
}

const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;

/**
 * n8n's public API. Requests that n8n does not answer, or answers with an error of its own, are
 * repeated a few times.
 */
export class N8nApi {
	/** @param host as errors name it */
	constructor(
		private readonly send: SendToN8n,
		private readonly host: string,
		private readonly clock: Clock,
	) {}

	/**
	 * Sends a request until n8n answers it.
	 *
	 * @param beforeRepeat called when the request may have taken effect without an answer: returns
	 *   the request that is still to be sent, or nothing when it took effect
	 * @throws LedgerError when n8n refuses it, or does not answer
	 */
	async call(
		request: ApiRequest,
		beforeRepeat?: () => Promise<ApiRequest | undefined>,
	): Promise<ApiResult> {
		let isRepeated = false;
		let next = request;
		for (let retry = 0; ; retry += 1) {
			const attempt = await this.attempt(next);
			if ('answer' in attempt) return { body: attempt.answer.body, isRepeated };
			isRepeated ||= attempt.mayHaveTakenEffect;
			if (retry === MAX_RETRIES) throw attempt.error;
			await this.clock.wait(FIRST_BACKOFF_MS * 2 ** retry * (0.5 + Math.random()));
			const rest =
				attempt.mayHaveTakenEffect && beforeRepeat !== undefined ? await beforeRepeat() : next;
			if (rest === undefined) return { body: undefined, isRepeated };
			next = rest;
		}
	}

	/** @throws LedgerError when there is no use in repeating it */
	private async attempt(
		request: ApiRequest,
	): Promise<{ answer: ApiAnswer } | { error: LedgerError; mayHaveTakenEffect: boolean }> {
		return await this.send(request).then(
			(answer) => {
				const { status } = answer;
				if (status >= 200 && status < 300) return { answer };
				const error = answerError(answer, request.scope, this.host);
				if (status !== 429 && status < 500) throw error;
				return { error, mayHaveTakenEffect: status !== 429 };
			},
			(thrown: unknown) => {
				const blocked = blockedError(thrown, this.host);
				if (blocked !== undefined) throw blocked;
				const { reason, neverSent, isTransient } = networkFailure(thrown);
				const error = unreachableError(this.host, reason);
				if (!isTransient) throw error;
				return { error, mayHaveTakenEffect: !neverSent };
			},
		);
	}
}
