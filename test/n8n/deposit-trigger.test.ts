import { type Credential, START, successfulItems } from '../../tools/n8n';
import { depositTriggerOf } from './support/depositTrigger';
import { useFixture } from './support/fixture';

const fixture = useFixture();
let credential: Credential;
const { create, deposit, publish, started } = depositTriggerOf(fixture, () => credential);

beforeAll(async () => {
	credential = await fixture().createClient();
});

beforeEach(async () => {
	const { control } = fixture().sandbox;
	await control.reset();
	await control.setRequestsPerMinute(100_000);
	await control.clearFaults();
	await control.clearRequests();
});

test('what is there before the first poll starts the workflow where that is asked for', async () => {
	const first = await deposit();
	const parameters = { options: { includeExisting: true } };
	const workflow = await publish({ parameters });
	expect(await started(workflow, 1)).toEqual([[first]]);
	await fixture().n8n.deactivate(workflow.id);
});

test('fetching a test event shows what is there, each time anew', async () => {
	const { n8n } = fixture();
	const { id } = await create();
	const none = await n8n.runManually(id);
	expect(none.data.resultData.error).toMatchObject({
		message: 'The workspace has no unlinked deposit now',
		description: expect.stringContaining('Deposit: Simulate'),
	});
	const first = await deposit();
	for (let round = 0; round < 2; round += 1) {
		const shown = await n8n.runManually(id);
		expect(successfulItems(shown, START)).toMatchObject([{ json: { id: first } }]);
	}
	expect(n8n.database.staticData(id)).toEqual([]);
});
