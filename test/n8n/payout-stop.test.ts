import { poll } from '../../tools/n8n/poll';
import {
	addVendors,
	once,
	payoutsFor,
	statusesOf,
	timesFunded,
	usePayouts,
} from './support/payouts';

/** Long enough to stop the execution meanwhile. */
const FUNDING_MS = 3000;

const { fixture, createWorkflow, createTableWorkflow } = usePayouts();

test.each([
	['the node', createWorkflow],
	['a Data Table', createTableWorkflow],
])(
	'an execution that is stopped while a funding is under way still learns its answer, remembered in %s',
	async (_, create) => {
		const { n8n, sandbox } = fixture();
		const { control } = sandbox;
		const payees = await addVendors(sandbox, 3);
		const payouts = payoutsFor(payees);
		const workflow = await create();
		const match = { operationId: 'createFunding' };
		await control.addFault({ kind: 'latency', ms: FUNDING_MS, match });
		const fundings = async () => await control.requests('createFunding');

		const stopped = workflow.execute(payouts);
		await poll('the funding', async () => (await fundings())[0]);
		const [running = ''] = n8n.database.executionIds(workflow.workflow.id);
		await n8n.executions.stop(running);
		expect((await stopped).status).toBe('canceled');

		const again = await workflow.pay(payouts);
		expect(statusesOf(again)).toEqual(['duplicate', 'duplicate', 'duplicate']);
		expect(again.map(({ first_status: status }) => status)).toEqual(['funded', 'funded', 'funded']);
		expect(await fundings()).toHaveLength(1);
		expect(await timesFunded(sandbox, payees)).toEqual(once(payees));
	},
);
