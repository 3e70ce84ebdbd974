/**
 * The measurements behind `npm run bench:trigger`, on a real n8n on this machine: whether every event
 * starts exactly one execution, whatever the sender and a restart of n8n do, and how fast the trigger
 * is beside n8n's own Webhook node. Ends by itself; fails when an event was lost or started twice.
 * A number scales everything down: `npm run bench:trigger -- 0.1 once`. More words: `once` and `speed`
 * measure one of the two alone; `abrupt` cuts n8n off instead of letting it end its executions, which
 * no trigger survives unharmed; `equal` gives n8n's Webhook node the sandbox for expressions that n8n
 * spares it, and makes for every other trigger's deliveries.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { startSandbox } from '../../sandbox/client';
import { N8n, packPackage, type Workflow, type WorkflowNode } from '../n8n';
import { installHost } from '../n8n/install';
import { sandboxCredentialData } from '../sandboxCredentialData';
import { atLeastOnce, makeEvents } from './events';
import { startTimes, tally } from './executions';
import { Program } from './program';
import { seeded } from './random';
import { IN_FLIGHT, Sender } from './sender';
import { listed, medianOfAll, megabytes, spread } from './statistics';

const SCALE = Number(process.argv[2] ?? 1);
/** Whether n8n gets no pause to end its executions in, and is cut off. */
const IS_ABRUPT = process.argv.includes('abrupt');
/** n8n makes no sandbox for expressions when the newest Webhook node, and no other, gets a delivery. */
const EQUAL_TERMS = { N8N_EXPRESSION_ENGINE_ALLOW_WEBHOOK_ISOLATE_SKIP: 'false' };
const scaled = (count: number): number => Math.max(10, Math.round(count * SCALE));

const SEED = 20_260_101;
const EVENTS = scaled(5_000);
const TWICE = 0.2;
const DROPPED = 0.02;
/** n8n is restarted when this share of the deliveries is accepted. */
const RESTART_AT = 0.5;
const ROUNDS = 4;
const ROUND = scaled(500);
const WARM_UP = scaled(200);
const SINGLE = scaled(200);
const SECRET = 'bench-signing-secret';
/** The whole bench is ended when it takes longer. */
const LIMIT_MS = 15 * 60_000;
/** How long n8n may take to end its executions when it is stopped; this is its default. */
const GRACE_SECONDS = IS_ABRUPT ? '3' : '30';
const PATIENCE_MS = 120_000;
const POLL_MS = 25;

/** One of the two that are compared. */
interface Contender {
	name: string;
	workflowId: string;
	url: string;
}

interface Setup {
	n8n: N8n;
	ours: Contender;
	theirs: Contender;
	/** The Webhook node's version 1, which n8n gives a sandbox for expressions, as it does ours. */
	older: Contender;
	workspaceId: string;
}

const program = new Program();
const report = (what: string, figure: string | number): void => {
	program.row(what, figure);
};

async function measure(): Promise<boolean> {
	const setup = await setUp();
	report("n8n's memory before", megabytes(setup.n8n.process.residentMemory()));
	const isExact = process.argv.includes('speed') || (await measureExactlyOnce(setup));
	if (!process.argv.includes('once')) {
		await measureThroughput(setup);
		await measureLatency(setup);
	}
	report("n8n's memory after", megabytes(setup.n8n.process.residentMemory()));
	return isExact;
}

async function setUp(): Promise<Setup> {
	await installHost();
	const sandbox = await startSandbox();
	program.stopLater(() => sandbox.stop());
	const n8n = await N8n.start({
		tarball: packPackage(),
		env: {
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: GRACE_SECONDS,
			...(process.argv.includes('equal') && EQUAL_TERMS),
		},
	});
	program.stopLater(() => n8n.stop());
	const { id, name, type } = await n8n.createCredential('Bench', 'partnerPaymentsApi', {
		...sandboxCredentialData(sandbox),
		webhookSigningSecret: SECRET,
	});
	const contend = async (
		title: string,
		node: Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'credentials'>,
		path: (webhookId: string) => string,
	): Promise<Contender> => {
		const webhookId = randomUUID();
		const trigger = { ...node, name: 'Event', position: [0, 0] as [number, number], webhookId };
		const workflow = await n8n.createWorkflow(workflowWith(title, trigger));
		await n8n.activate(workflow.id);
		const url = `${n8n.url.replace('localhost', '127.0.0.1')}/webhook/${path(webhookId)}`;
		return { name: title, workflowId: workflow.id, url };
	};
	const ours = await contend(
		'Partner Payments Trigger',
		{
			type: 'n8n-nodes-partner-payments.partnerPaymentsTrigger',
			typeVersion: 1,
			parameters: {
				authentication: 'clientCredentials',
				workspaceId: { __rl: true, mode: 'id', value: sandbox.workspaceId },
				events: ['partnerStatusChanged', 'payableApproved', 'payablePaid', 'payableStatusChanged'],
			},
			credentials: { [type]: { id, name } },
		},
		(webhookId) => `${webhookId}/webhook`,
	);
	const webhook = async (title: string, typeVersion: number, path: string): Promise<Contender> =>
		await contend(
			title,
			{
				type: 'n8n-nodes-base.webhook',
				typeVersion,
				parameters: {
					httpMethod: 'POST',
					path,
					responseMode: 'onReceived',
					authentication: 'none',
					options: {},
				},
			},
			() => path,
		);
	const theirs = await webhook('Webhook', 2.1, 'bench');
	const older = await webhook('Webhook, version 1', 1, 'bench-1');
	return { n8n, ours, theirs, older, workspaceId: sandbox.workspaceId };
}

function workflowWith(name: string, trigger: WorkflowNode): Workflow {
	const end: WorkflowNode = {
		name: 'End',
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [240, 0],
		parameters: {},
	};
	return {
		name,
		nodes: [trigger, end],
		connections: { [trigger.name]: { main: [[{ node: end.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/** Sends events twice, drops connections and restarts n8n; whether each event was executed once. */
async function measureExactlyOnce({ n8n, ours, workspaceId }: Setup): Promise<boolean> {
	const random = seeded(SEED);
	const events = makeEvents('once', EVENTS, workspaceId);
	const sent = atLeastOnce(events, TWICE, random);
	let restart: Promise<void> | undefined;
	const sender = new Sender({
		url: ours.url,
		secret: SECRET,
		dropping: { share: DROPPED, random },
		onAccepted: (accepted) => {
			if (restart !== undefined || accepted < sent.length * RESTART_AT) return;
			if (!IS_ABRUPT) sender.pause();
			restart = n8n.restart();
		},
	});
	const start = Date.now();
	await sender.deliver(sent);
	await restart;
	await settled(n8n, ours);
	const seconds = (Date.now() - start) / 1000;

	const { once, twice, lost, again, unfinished } = tally(
		n8n.database.executions(ours.workflowId),
		events.map(({ id }) => id),
	);
	const { figures } = sender;
	report('Exactly once: distinct events', EVENTS);
	report('  deliveries (seconds)', `${sent.length} (${seconds.toFixed(0)})`);
	report('  requests sent', figures.attempts);
	report('  answered 2xx', figures.accepted);
	report('  duplicates ignored', figures.ignored);
	report('  sender retries', figures.retries);
	report('  answered otherwise', listed(figures.refused));
	report('  connections broken / dropped by sender', `${figures.broken} / ${figures.dropped}`);
	report('  executed once', once);
	report('  executed twice', twice.length);
	report('  lost', lost.length);
	report('  of those executed once, cut off before', again);
	report('  cut off and not executed again', unfinished.length);
	if (twice.length > 0) console.error('Executed twice:', twice.slice(0, 20).join(' '));
	if (lost.length > 0) console.error('Lost:', lost.slice(0, 20).join(' '));
	if (unfinished.length > 0) console.error('Cut off:', unfinished.slice(0, 20).join(' '));
	return twice.length + lost.length + unfinished.length === 0;
}

/** Sends the same bodies to both in turns, and counts until their executions have ended. */
async function measureThroughput({ n8n, ours, theirs, older, workspaceId }: Setup): Promise<void> {
	const round = async (contender: Contender, name: string, count: number): Promise<number> => {
		const before = n8n.database.countEnded(contender.workflowId);
		const start = performance.now();
		await new Sender({ url: contender.url, secret: SECRET }).deliver(
			makeEvents(name, count, workspaceId),
		);
		await ended(n8n, contender, before + count);
		return count / ((performance.now() - start) / 1000);
	};
	for (const contender of [ours, theirs, older]) await round(contender, 'warm', WARM_UP);
	const speeds: Array<{ our: number; their: number; old: number }> = [];
	for (let index = 0; index < ROUNDS; index += 1) {
		const name = `round${'abcdefgh'[index] ?? ''}`;
		const their = await round(theirs, name, ROUND);
		const our = await round(ours, name, ROUND);
		const old = await round(older, name, ROUND);
		speeds.push({ our, their, old });
	}
	const our = speeds.map((speed) => speed.our);
	const their = speeds.map((speed) => speed.their);
	const old = speeds.map((speed) => speed.old);
	const ratios = speeds.map((speed) => speed.our / speed.their);
	const oldRatios = speeds.map((speed) => speed.our / speed.old);
	report('Throughput', `${ROUNDS} rounds of ${ROUND}, ${IN_FLIGHT} in flight, median (each)`);
	report('  Partner Payments Trigger, events/s', medianOfAll(our, 1));
	report('  Webhook, events/s', medianOfAll(their, 1));
	report('  Webhook version 1, events/s', medianOfAll(old, 1));
	report('  ratio to Webhook', medianOfAll(ratios, 2));
	report('  ratio to Webhook version 1', medianOfAll(oldRatios, 2));
}

/** Sends one event at a time to both in turns. */
async function measureLatency({ n8n, ours, theirs, workspaceId }: Setup): Promise<void> {
	const events = makeEvents('single', SINGLE, workspaceId);
	const lines = [ours, theirs].map((contender) => ({
		contender,
		sender: new Sender({ url: contender.url, secret: SECRET }),
		before: n8n.database.countEnded(contender.workflowId),
		sentAt: new Map<string, number>(),
		toAnswer: [] as number[],
	}));
	for (const event of events) {
		for (const { contender, sender, sentAt, toAnswer, before } of lines) {
			sentAt.set(event.id, Date.now());
			toAnswer.push(await sender.deliverOne(event));
			await ended(n8n, contender, before + toAnswer.length);
		}
	}
	report('Latency', `${SINGLE} one at a time, ms, median / p95`);
	for (const { contender, sentAt, toAnswer } of lines) {
		const startedAt = startTimes(n8n.database.executions(contender.workflowId));
		const toStart = [...sentAt].map(([id, at]) => (startedAt.get(id) ?? NaN) - at);
		report(`  ${contender.name}, to the start`, spread(toStart));
		report(`  ${contender.name}, to the answer`, spread(toAnswer));
	}
}

/** Waits until this many executions have ended. */
async function ended(n8n: N8n, { workflowId, name }: Contender, count: number): Promise<void> {
	const deadline = Date.now() + PATIENCE_MS;
	while (n8n.database.countEnded(workflowId) < count) {
		if (Date.now() > deadline) throw new Error(`Executions of ${name} did not end`);
		await delay(POLL_MS);
	}
}

/** Waits until no execution is open, or none of the open ones has ended for a while. */
async function settled(n8n: N8n, { workflowId }: Contender): Promise<void> {
	let before = -1;
	for (;;) {
		const now = n8n.database.countEnded(workflowId);
		if (now === before) return;
		before = now;
		await delay(2_000);
	}
}

void program.run(LIMIT_MS, measure);
