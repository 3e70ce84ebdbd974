import { subscriptionAnswerNames } from '../../sandbox/shared/settings';
import { poll } from '../../tools/n8n/poll';
import { deliver, deliverSigned, SECRET, useTrigger } from './support/trigger';

const { fixture, client, event, executionsOf, itemsOf, listen } = useTrigger();

const answersWithSecret = subscriptionAnswerNames.filter((name) => name !== 'none');
/** How an event is forged. */
const FORGERIES = ['missing_signature', 'forged_signature', 'foreign_signature'] as const;

beforeEach(async () => {
	// A busy n8n may take longer than the service usually waits.
	const options = { maxAttempts: 1, timeoutMs: 60_000 };
	await fixture().sandbox.control.setSettings(options);
});

afterEach(async () => {
	const { control } = fixture().sandbox;
	await control.setSettings({ subscriptionAnswer: 'default' });
	await control.clearDeliveryFaults();
});

/** The service sends an event; returns how its delivery was answered. */
async function emit(
	position: number,
	forgery?: (typeof FORGERIES)[number],
): Promise<number | null> {
	const { control, workspaceId } = fixture().sandbox;
	const subscriptionId = (await control.subscriptions()).at(-1)?.id ?? '';
	if (forgery !== undefined) {
		await control.addDeliveryFault({ kind: forgery, match: { subscriptionId } });
	}

	await control.emitEvents([
		{
			event_type: 'payable.paid',
			workspaceId,
			data: { payable: { id: `payable-${position}`, status: 'paid', amount: 100 } },
		},
	]);

	return await poll('the delivery to end', async () => {
		const made = (await control.deliveries()).filter(
			(one) => one.subscriptionId === subscriptionId,
		);
		const newest = made[position];

		return newest?.state === 'delivered' || newest?.state === 'failed'
			? newest.lastStatus
			: undefined;
	});
}

describe('what the service delivers', () => {
	test.each(answersWithSecret)(
		'starts the workflow when it is signed with the secret of the answer %s, and nothing forged does #signing-secret-of-answer',
		async (answer) => {
			await fixture().sandbox.control.setSettings({ subscriptionAnswer: answer });
			const { workflow } = await listen(client(), { options: { unsignedEvents: 'accept' } });

			const statuses = [await emit(0)];
			for (const [index, forgery] of FORGERIES.entries()) {
				statuses.push(await emit(index + 1, forgery));
			}

			statuses.push(await emit(FORGERIES.length + 1));

			expect(statuses).toEqual([200, 401, 401, 401, 200]);
			expect((await itemsOf(workflow)).map((item) => [item.payable_id, item.verified])).toEqual([
				['payable-0', true],
				['payable-4', true],
			]);
		},
	);
});

test('a delivery that cannot be checked starts nothing, also when n8n continues after errors', async () => {
	const { n8n, createClient } = fixture();
	const credential = await createClient({ webhookSigningSecret: SECRET }, 'Short-lived client');
	const { workflow, url } = await listen(credential);
	const nodes = workflow.nodes.map((node) => ({
		...node,
		onError: 'continueRegularOutput' as const,
	}));

	await n8n.saveWorkflow({ ...workflow, nodes });
	await n8n.activate(workflow.id);
	await n8n.client.rest('DELETE', `/credentials/${credential.id}`);

	expect((await deliver(url, event())).status).toBe(500);
	expect((await deliverSigned(url, event(), SECRET)).status).toBe(500);
	expect(await executionsOf(workflow)).toEqual([]);
});
