import {
	claimItems,
	type ClaimingHost,
	deduplicatorFor,
} from '../../../nodes/PartnerPayments/trigger/deduplicator';
import { triggerKey } from '../../../nodes/PartnerPayments/trigger/triggerData';
import { N8nDatabase } from '../ledger/n8nDatabase';

let workflows = 0;

/** A trigger whose executions run in a process that receives no deliveries. */
class Trigger {
	readonly database = new N8nDatabase();
	readonly warnings: string[] = [];
	private readonly workflow = `workflow-of-events-${(workflows += 1)}`;

	host(
		digests: Array<string | undefined>,
		{
			execution = '1',
			mode = 'webhook' as const,
		}: { execution?: string; mode?: 'webhook' | 'manual' | 'retry' } = {},
	): ClaimingHost {
		const warn = (message: string): void => {
			this.warnings.push(message);
		};

		return {
			...this.database.host({ process: 'worker', workflow: this.workflow }),
			getExecutionId: () => execution,
			getInputData: () => digests.map((digest) => ({ json: { of: digest ?? 'nothing' }, digest })),
			getMode: () => mode,
			logger: { warn, info: warn, error: warn, debug: warn },
		};
	}
}

const itemsOf = (...names: string[]): object[] =>
	names.map((of): object => expect.objectContaining({ json: { of } }) as object);

test('an event is handed on by the first execution that was started for it, and by no other #event-claimed-once', async () => {
	const trigger = new Trigger();

	expect(await claimItems(trigger.host(['a', 'b']))).toEqual(itemsOf('a', 'b'));
	expect(await claimItems(trigger.host(['b', 'c'], { execution: '2' }))).toEqual(itemsOf('c'));
	expect(await claimItems(trigger.host(['a', 'c'], { execution: '3' }))).toEqual([]);
});

test('an execution that n8n runs again hands on what it has claimed', async () => {
	const trigger = new Trigger();
	await claimItems(trigger.host(['a'], { execution: '7' }));

	for (let time = 0; time < 2; time += 1) {
		expect(await claimItems(trigger.host(['a', 'b'], { execution: '8' }))).toEqual(itemsOf('b'));
		expect(await claimItems(trigger.host(['a'], { execution: '7' }))).toEqual(itemsOf('a'));
	}
});

test('an execution that broke off and is retried by hand keeps its event', async () => {
	const trigger = new Trigger();
	await claimItems(trigger.host(['a'], { execution: '7' }));
	const retried = trigger.host(['a'], { execution: '8', mode: 'retry' });

	expect(await claimItems(retried)).toEqual(itemsOf('a'));
});

test('what this process has received itself begins one execution, without a claim in the database', async () => {
	const trigger = new Trigger();
	const host = trigger.host(['a']);
	const known = deduplicatorFor(triggerKey(host));
	known.claim('a');

	expect(await claimItems(host)).toEqual(itemsOf('a'));
	expect(await claimItems(trigger.host(['a'], { execution: '2' }))).toEqual([]);
	expect(await claimItems(trigger.host(['a']))).toEqual(itemsOf('a'));
	expect(trigger.database.statements).toEqual([]);
});

test('a test event, and an item that no delivery made, are always handed on', async () => {
	const trigger = new Trigger();

	for (let time = 0; time < 2; time += 1) {
		expect(await claimItems(trigger.host(['a'], { mode: 'manual' }))).toEqual(itemsOf('a'));
		expect(await claimItems(trigger.host([undefined]))).toEqual(itemsOf('nothing'));
	}

	expect(trigger.database.statements).toEqual([]);
});

test('an event is not lost when the database keeps no claim, and the log says so', async () => {
	const trigger = new Trigger();
	trigger.database.before = async () => await Promise.reject(new Error('it is full'));

	expect(await claimItems(trigger.host(['a']))).toEqual(itemsOf('a'));
	expect(trigger.warnings).toEqual([expect.stringContaining('may run twice')]);
});
