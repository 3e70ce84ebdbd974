import type { DeliveryView } from '../../sandbox/client';
import { subscriptionAnswerNames } from '../../sandbox/shared/settings';
import { poll } from '../../tools/n8n/poll';
import { deliver, deliverSigned, SECRET, useTrigger } from './support/trigger';

const { fixture, client, event, executionsOf, itemsOf, listen } = useTrigger();

const answersWithSecret = subscriptionAnswerNames.filter((name) => name !== 'none');
/** How an event is forged. */
const FORGERIES = ['missing_signature', 'forged_signature', 'foreign_signature'] as const;

beforeEach(async () => {
	// A busy n8n may take longer than the service usually waits.
	const options = { maxAttempts: 1, timeoutMs: 60_000, envelope: 'default' } as const;
	await fixture().sandbox.control.setSettings(options);
});
afterEach(async () => {
	const { control } = fixture().sandbox;
	await control.setSettings({ subscriptionAnswer: 'default' });
	await control.clearDeliveryFaults();
});

/** The delivery of what just happened to the newest subscription, once it has ended. */
async function newestDelivery(before: number): Promise<DeliveryView> {
	const { control } = fixture().sandbox;
	const subscription = (await control.subscriptions()).at(-1)?.id;
	return await poll('the delivery to end', async () => {
		const made = (await control.deliveries()).filter((one) => one.subscriptionId === subscription);
		const newest = made.length > before ? made.at(-1) : undefined;
		return newest?.state === 'delivered' || newest?.state === 'failed' ? newest : undefined;
	});
}

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
			data: { payable: { id: `payable-${position}`, status: 'paid' } },
		},
	]);
	return (await newestDelivery(position)).lastStatus;
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

test('an event that tells the ID of its partner alone starts the workflow with the partner, for the chosen statuses', async () => {
	const { control, pendingVendorEmail: email } = fixture().sandbox;
	await control.setSettings({ envelope: 'thin' });
	const { workflow } = await listen(client(), {
		events: ['partnerStatusChanged'],
		options: { statuses: ['verified'] },
	});
	await control.rejectVendor(email);
	expect(await newestDelivery(0)).toMatchObject({ lastStatus: 200 });
	// Its partner is read in its execution.
	await fixture().n8n.executions.newestOf(workflow.id, 1);
	await control.verifyVendor(email);
	expect(await newestDelivery(1)).toMatchObject({ lastStatus: 200 });
	const partner = (await control.partners()).find((one) => one.email === email);
	expect(await itemsOf(workflow)).toMatchObject([
		{
			event: 'partnerStatusChanged',
			partner_id: partner?.id,
			status: 'verified',
			partner: { id: partner?.id, email, status: 'verified' },
			workspace_id: null,
			verified: true,
		},
	]);
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
