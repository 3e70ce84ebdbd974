import { randomUUID } from 'node:crypto';

import type { Environment } from '../../environment';
import { bearerCredential, partnerPaymentsCredential } from '../../payouts/credentials';
import { httpRequestPayouts } from '../../payouts/httpRequest';
import {
	addPayees,
	addVendors,
	itemsOf,
	makePayouts,
	partnerPaymentsPayouts,
	type PayoutRequest,
} from '../../payouts/payout';
import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import { COLUMNS, type PayoutBench } from './bench';
import { type ActiveWorkflow, timeExecution } from './workflows';

/** What a run has led to. */
interface Outcome {
	seconds: number;
	requests: number;
	payables: number;
	fundings: number;
	paid: number;
}

/** The counts of an outcome, and what they are called. */
const COUNTS = [
	{ key: 'requests', name: 'requests to the service' },
	{ key: 'payables', name: 'payables made' },
	{ key: 'fundings', name: 'fundings requested' },
	{ key: 'paid', name: 'vendors paid' },
] as const;

/** The sandbox refuses to fund payables of vendors with such an address. */
const UNFUNDABLE = '+fund-refused@example.com';

/** Payouts that the wallet has no money for. Passes when this package's node pays none. */
export async function measureWallet(bench: PayoutBench): Promise<Measured> {
	const { sandbox, scale } = bench;
	const { refusedPayouts: count, refusedRounds: rounds } = scale;
	// Nothing is ever deposited there.
	const { secondWorkspaceId: workspaceId } = sandbox;
	const workflows = {
		httpRequest: await activatePeer(bench, workspaceId),
		checked: await activateOwn(bench, workspaceId, {}),
		unchecked: await activateOwn(bench, workspaceId, { checkBalance: false }),
	};

	const names = ['httpRequest', 'checked', 'unchecked'] as const;
	const outcomes = await alternately(names, rounds, async (name) => {
		const payouts = makePayouts(`wallet-${randomUUID()}`, count);
		await addVendors(sandbox, workspaceId, payouts);
		return await outcomeOf(bench, workflows[name], payouts);
	});

	const { httpRequest, checked, unchecked } = figuresByName(names, outcomes);
	const table = new TableBuilder(
		`${count} payouts with an empty wallet: ${rounds} rounds`,
		COLUMNS,
	);

	addOutcomes(table, '', checked, httpRequest, 0);
	addOutcomes(table, 'Check Balance off, ', unchecked, httpRequest, 0);

	const isPassed = [...checked, ...unchecked].every(({ paid }) => paid === 0);
	return { isPassed, table: table.build() };
}

/** Payouts of which the service refuses to fund one. Passes when this package's node pays all others. */
export async function measureRefused(bench: PayoutBench): Promise<Measured> {
	const { sandbox, scale } = bench;
	const { refusedPayouts: count, refusedRounds: rounds } = scale;
	const { workspaceId } = sandbox;
	const workflows = {
		httpRequest: await activatePeer(bench, workspaceId),
		partnerPayments: await activateOwn(bench, workspaceId, {}),
	};

	const names = ['httpRequest', 'partnerPayments'] as const;
	const outcomes = await alternately(names, rounds, async (name) => {
		const payouts = withUnfundable(makePayouts(`refused-${randomUUID()}`, count));
		await addPayees(sandbox, payouts);
		return await outcomeOf(bench, workflows[name], payouts);
	});

	const { httpRequest, partnerPayments } = figuresByName(names, outcomes);
	const table = new TableBuilder(
		`${count} payouts, of which one cannot be funded: ${rounds} rounds`,
		COLUMNS,
	);

	addOutcomes(table, '', partnerPayments, httpRequest, count - 1);

	const isPassed = partnerPayments.every(({ paid }) => paid === count - 1);
	return { isPassed, table: table.build() };
}

/** The same payouts, with one in the middle whose vendor cannot be paid. */
function withUnfundable(payouts: PayoutRequest[]): PayoutRequest[] {
	const middle = Math.floor(payouts.length / 2);
	return payouts.map((payout, index) =>
		index === middle ? { ...payout, payee: `${payout.reference}${UNFUNDABLE}` } : payout,
	);
}

function addOutcomes(
	table: TableBuilder,
	prefix: string,
	own: Outcome[],
	peer: Outcome[],
	wantedPaid: number,
): void {
	const secondsOf = (outcomes: Outcome[]): number[] => outcomes.map(({ seconds }) => seconds);
	table.compare({
		name: `${prefix}the whole run`,
		unit: 's',
		digits: 2,
		own: secondsOf(own),
		peer: secondsOf(peer),
	});

	for (const { key, name } of COUNTS) {
		table.add({
			name: `${prefix}${name}`,
			own: own.map((outcome) => outcome[key]),
			peer: peer.map((outcome) => outcome[key]),
			wanted: key === 'paid' ? String(wantedPaid) : '',
		});
	}
}

/** Makes payouts, and counts what the service has got for them. */
async function outcomeOf(
	{ n8n, sandbox }: Environment,
	workflow: ActiveWorkflow,
	payouts: PayoutRequest[],
): Promise<Outcome> {
	const { control } = sandbox;
	await control.clearRequests();

	const { elapsedMs } = await timeExecution(n8n, workflow, itemsOf(payouts));
	const logged = await control.requests();
	const requests = logged.filter(({ host }) => host === 'api');
	const countOf = (operation: string): number =>
		requests.filter(({ operationId }) => operationId === operation).length;

	const payees = new Set(payouts.map(({ payee }) => payee));
	const allocations = await control.allocations();
	return {
		seconds: elapsedMs / 1000,
		requests: requests.length,
		payables: countOf('createPayable'),
		fundings: countOf('createFunding'),
		paid: allocations.filter(({ payee }) => payees.has(payee)).length,
	};
}

/** Activates a workflow of this package's node, which continues after what is refused. */
async function activateOwn(
	{ n8n, sandbox }: Environment,
	workspaceId: string,
	options: Record<string, unknown>,
): Promise<ActiveWorkflow> {
	const credential = await partnerPaymentsCredential(n8n, sandbox);
	return await n8n.publish((webhookPath) =>
		partnerPaymentsPayouts({
			webhookPath,
			answer: 'firstEntryJson',
			workspaceId,
			credential,
			options,
			onError: 'continueRegularOutput',
		}),
	);
}

/** Activates a workflow of HTTP Request nodes, which continue after what is refused. */
async function activatePeer(
	{ n8n, sandbox }: Environment,
	workspaceId: string,
): Promise<ActiveWorkflow> {
	const { apiUrl } = sandbox;
	const credential = await bearerCredential(n8n, sandbox);
	return await n8n.publish((webhookPath) =>
		httpRequestPayouts({
			webhookPath,
			apiUrl,
			workspaceId,
			credential,
			onError: 'continueRegularOutput',
		}),
	);
}
