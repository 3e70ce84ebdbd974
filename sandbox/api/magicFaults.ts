import type { MatchedOperation } from '../contract/contract';
import { magicFailure, magicFailures, type MagicFailure, type MagicStep } from '../domain/magic';
import { findPayable, payablesOfFunding } from '../domain/payables';
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

const payable = (network: Network, id: string): Subject[] => {
	const found = findPayable(network, id);
	return found === undefined ? [] : [{ email: found.payee_email, amount: found.amount }];
};

/** Which step each operation is, and whom it is about. */
const operations: Record<
	string,
	[MagicStep, (network: Network, id: string, body: Body) => Subject[]]
> = {
	invitePartners: [
		'invite',
		(_, __, { invites = [] }) => invites.map(({ payee_email: email }) => ({ email })),
	],
	createPayable: ['create', (_, __, { payee_email, amount }) => [{ email: payee_email, amount }]],
	approvePayable: ['approve', payable],
	createFunding: [
		'fund',
		(network, _, { payable_ids = [] }) => payable_ids.flatMap((id) => payable(network, id)),
	],
	linkDeposit: [
		'link',
		(network, id) =>
			payablesOfFunding(network, id).map(({ payee_email: email, amount }) => ({ email, amount })),
	],
};

const refusal = (status: number, failure: MagicFailure): Fault => ({
	kind: 'status',
	status,
	body: { error: { code: `magic_${failure}`, message: magicFailures[failure] } },
	...(status === 429 ? { headers: { 'retry-after': '1' } } : {}),
});

const faults: Record<Exclude<MagicFailure, 'busy'>, Fault[]> = {
	refused: [refusal(422, 'refused')],
	unavailable: [refusal(503, 'unavailable')],
	timeout: [{ kind: 'latency', ms: 600_000 }, { kind: 'cut_before' }],
	cut: [{ kind: 'cut_after' }],
};

/** Finds the faults that a request brings with it by the values in it. */
export function magicFaults(network: Network) {
	const refusedOnce = new Set<string>();
	return ({ operationId }: MatchedOperation, request: ServiceRequest): Fault[] => {
		const [step, subjects] = operations[operationId] ?? [];
		if (step === undefined || subjects === undefined) {
			return [];
		}

		const text = request.body.toString('utf8');
		const id = request.path.split('/').at(-2) ?? '';
		const failure = readSubjects(() => subjects(network, id, JSON.parse(text || '{}') as Body))
			.map((subject) => magicFailure(network, subject))
			.find((found) => found?.[0] === step)?.[1];
		if (failure === undefined) {
			return [];
		}

		if (failure !== 'busy') {
			return faults[failure];
		}

		const key = `${request.path} ${text}`;
		if (refusedOnce.has(key)) {
			return [];
		}

		refusedOnce.add(key);
		return [refusal(429, 'busy')];
	};
}

/** A body that is not what it should be is for the contract to refuse. */
function readSubjects(read: () => Subject[]): Subject[] {
	try {
		return read();
	} catch {
		return [];
	}
}
