import type { MatchedOperation } from '../contract/contract';
import { magicFailure, magicFailures, type MagicFailure, type MagicStep } from '../domain/magic';
import { findPayable, payablesOfFunding, type Payable } from '../domain/payables';
import { parseJson } from '../http/body';
import type { ServiceRequest } from '../http/messages';
import type { Fault } from '../http/requestFaults';
import type { Network } from '../network/network';

interface Subject {
	email?: string | null | undefined;
	amount?: number | undefined;
}

/** The parts of a body that can be magic, as far as they are what they should be. */
interface Body {
	payee_email?: string;
	amount?: number;
	payable_ids?: string[];
	invites?: { payee_email?: string }[];
}

/** A call that has a step, and whom its request is about. */
interface MagicOperation {
	step: MagicStep;
	subjects: (request: { network: Network; id: string; body: Body }) => Subject[];
}

const subjectOf = ({ payee_email, amount }: Payable): Subject => ({ email: payee_email, amount });

function payableSubjects(network: Network, id: string): Subject[] {
	const payable = findPayable(network, id);
	return payable === undefined ? [] : [subjectOf(payable)];
}

const operations: Partial<Record<string, MagicOperation>> = {
	invitePartners: {
		step: 'invite',
		subjects: ({ body }) => (body.invites ?? []).map((invite) => ({ email: invite.payee_email })),
	},
	createPayable: {
		step: 'create',
		subjects: ({ body }) => [{ email: body.payee_email, amount: body.amount }],
	},
	approvePayable: {
		step: 'approve',
		subjects: ({ network, id }) => payableSubjects(network, id),
	},
	createFunding: {
		step: 'fund',
		subjects: ({ network, body }) =>
			(body.payable_ids ?? []).flatMap((id) => payableSubjects(network, id)),
	},
	linkDeposit: {
		step: 'link',
		subjects: ({ network, id }) => payablesOfFunding(network, id).map(subjectOf),
	},
};

const refusal = (status: number, failure: MagicFailure): Extract<Fault, { kind: 'status' }> => ({
	kind: 'status',
	status,
	body: { error: { code: `magic_${failure}`, message: magicFailures[failure] } },
});

const busy: Fault = { ...refusal(429, 'busy'), headers: { 'retry-after': '1' } };

const faults: Record<Exclude<MagicFailure, 'busy'>, Fault[]> = {
	refused: [refusal(422, 'refused')],
	unavailable: [refusal(503, 'unavailable')],
	timeout: [{ kind: 'latency', ms: 600_000 }, { kind: 'cut_before' }],
	cut: [{ kind: 'cut_after' }],
};

/** Finds the faults that a request brings with it by the values in it. */
export function magicFaults(network: Network) {
	const refusedOnce = new Set<string>();

	/** The fault strikes the first request; the same request passes after that. */
	const strikesOnce = (request: ServiceRequest): boolean => {
		const key = `${request.path} ${request.body.toString('utf8')}`;
		const isFirst = !refusedOnce.has(key);
		refusedOnce.add(key);
		return isFirst;
	};

	return ({ operationId }: MatchedOperation, request: ServiceRequest): Fault[] => {
		const operation = operations[operationId];
		if (operation === undefined) {
			return [];
		}

		const failure = readSubjects(network, operation, request)
			.map((subject) => magicFailure(network, subject))
			.find((found) => found?.step === operation.step)?.failure;
		if (failure === undefined) {
			return [];
		}

		if (failure === 'busy') {
			return strikesOnce(request) ? [busy] : [];
		}

		return faults[failure];
	};
}

function readSubjects(
	network: Network,
	{ subjects }: MagicOperation,
	request: ServiceRequest,
): Subject[] {
	const id = request.path.split('/').at(-2) ?? '';

	try {
		const body: Body = request.body.length === 0 ? {} : parseJson(request.body);
		return subjects({ network, id, body });
	} catch {
		// A body that is not what it should be is for the contract to refuse.
		return [];
	}
}
