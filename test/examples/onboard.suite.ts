import { nodeError, outputItems, successfulItems } from '../../tools/n8n';
import { answerWithSecret, deliver, deliverSigned, SECRET } from '../n8n/support/trigger';
import { useEmptySandbox, useExamples, usePublished } from './support/instance';

export function testOnboarding(): void {
	/** What a test's list calls the first payment. */
	const REFERENCE = 'Welcome bonus Ana';

	const fixture = useExamples();
	useEmptySandbox(fixture);
	const publishExample = usePublished(fixture);
	/** The workflow that a test has published. */
	let id = '';

	/** Publishes the example with options of its trigger, and a vendor; returns the address that it has subscribed. */
	async function publish(
		options: object = {},
		listed?: string,
		invoice = REFERENCE,
	): Promise<string> {
		const { sandbox } = fixture();
		const email = listed ?? ` ${sandbox.pendingVendorEmail.toUpperCase()} `;
		const limits = { maximum_amount: '500', maximum_total: '1000' };
		const vendors = [{ email, amount: '120.50', invoice }];
		const jsonOutput = `=${JSON.stringify({ vendors, ...limits })}`;
		({ id } = await publishExample('onboard-vendor-then-pay.json', {
			options: { 'When a vendor is verified': options },
			parameters: { Settings: { jsonOutput } },
		}));

		const subscription = (await sandbox.control.subscriptions()).at(-1);
		if (subscription === undefined) {
			throw new Error('Nothing was subscribed');
		}

		return subscription.url;
	}

	/** The pending vendor, and an event that says of them what a test wants. */
	async function pendingVendor() {
		const { control, pendingVendorEmail, workspaceId } = fixture().sandbox;
		const record = (await control.partners()).find(({ email }) => email === pendingVendorEmail);
		if (record === undefined) {
			throw new Error('There is no pending vendor');
		}

		const eventOf = (eventId: string, changes: object = {}) => ({
			id: eventId,
			event_type: 'partner.status_changed',
			created_at: '2026-01-02T03:04:05Z',
			workspace_id: workspaceId,
			data: { partner: { id: record.id, status: 'verified', ...changes } },
		});

		return { email: pendingVendorEmail, eventOf };
	}

	/** Has the service send once more that the vendor is verified, as another event. */
	async function repeatVerified(): Promise<void> {
		const { control } = fixture().sandbox;
		const verified = (await control.events()).findLast(
			({ event_type: type }) => type === 'partner.status_changed',
		);
		if (verified === undefined) {
			throw new Error('No vendor was verified');
		}

		const { event_type, workspace_id: workspaceId, data } = verified;
		await control.emitEvents([{ event_type, workspaceId, data }]);
	}

	const statusesOfPayouts = async (): Promise<unknown[]> =>
		(await fixture().n8n.executions.list(id))
			.toReversed()
			.map((execution) => outputItems(execution, 'Pay vendor').at(0)?.json.status);

	test('examples/onboard-vendor-then-pay.json pays a vendor once, when verified', async () => {
		const { n8n, sandbox } = fixture();
		const { control } = sandbox;
		const { email } = await pendingVendor();
		await publish();

		await control.rejectVendor(email);
		await control.verifyVendor(email);
		const execution = await n8n.executions.newestOf(id, 1);

		const [payout] = successfulItems(execution, 'Pay vendor');
		const onePaid = [
			expect.objectContaining({
				id: payout?.json.payable_id,
				funding_id: payout?.json.funding_id,
				payee_email: email,
				amount: 12_050,
				status: 'paid',
				description: `Welcome bonus [${REFERENCE}]`,
			}),
		];
		expect(payout?.json).toMatchObject({ status: 'funded', unique_reference: REFERENCE });
		expect(await control.payables()).toEqual(onePaid);
		expect(await control.vendor(email)).toMatchObject({ balance: 12_050 });

		await repeatVerified();
		await n8n.executions.newestOf(id, 2);

		expect(await statusesOfPayouts()).toEqual(['funded', 'duplicate']);
		expect(await control.payables()).toEqual(onePaid);
	});

	test('examples/onboard-vendor-then-pay.json holds a second first payment, and fails with the reason', async () => {
		const { n8n, sandbox } = fixture();
		const { control } = sandbox;
		const { email } = await pendingVendor();
		// Someone renames the payment on the list between two events.
		await publish({}, undefined, 'Bonus {{ $execution.id }}');
		await control.verifyVendor(email);
		await n8n.executions.newestOf(id, 1);

		await repeatVerified();
		const execution = await n8n.executions.newestOf(id, 2);

		expect(await statusesOfPayouts()).toEqual(['funded', 'held']);
		expect(nodeError(execution, 'Stop for a person')?.message).toMatch(
			/^Bonus \d+ is held, .*"Bonus \d+"/,
		);
		expect(await control.vendor(email)).toMatchObject({ balance: 12_050 });
	});

	test('examples/onboard-vendor-then-pay.json pays no vendor who is not on its list', async () => {
		const { n8n, sandbox } = fixture();
		const { control, pendingVendorEmail, verifiedVendorEmail } = sandbox;
		await publish({}, verifiedVendorEmail);
		await control.verifyVendor(pendingVendorEmail);

		const execution = await n8n.executions.newestOf(id, 1);

		expect(outputItems(execution, 'Nothing is paid')).toHaveLength(1);
		expect(await control.payables()).toEqual([]);
	});

	test('examples/onboard-vendor-then-pay.json pays nothing on an event without a signature', async () => {
		const { n8n, sandbox } = fixture();
		const { control } = sandbox;
		const { email, eventOf } = await pendingVendor();
		await answerWithSecret(fixture());
		const url = await publish({ unsignedEvents: 'accept' });
		await control.clearRequests();

		const forged = eventOf('forged-1', { email: 'thief@example.com', verified: true });
		const body = { ...forged, verified: true };

		expect(await deliver(url, body)).toMatchObject({ status: 200 });

		// The service's own event counts no more, as long as the trigger knows no signing secret.
		await control.verifyVendor(email);
		const execution = await n8n.executions.newestOf(id, 2);

		expect(outputItems(execution, 'Nothing is paid')).toHaveLength(1);
		expect(await statusesOfPayouts()).toEqual([undefined, undefined]);
		expect(await control.payables()).toEqual([]);
		expect(await control.requests()).toEqual([]);
	});

	test("examples/onboard-vendor-then-pay.json pays whom the service's own record names, if it is verified", async () => {
		const { n8n, sandbox } = fixture();
		const { control, verifiedVendorEmail } = sandbox;
		const { email, eventOf } = await pendingVendor();
		await answerWithSecret(fixture(), SECRET);
		const url = await publish();

		await deliverSigned(url, eventOf('early', { email: verifiedVendorEmail }), SECRET);
		const early = await n8n.executions.newestOf(id, 1);

		expect(outputItems(early, 'Nothing is paid')).toMatchObject([{ json: { status: 'pending' } }]);
		expect(await control.payables()).toEqual([]);

		await control.setSettings({ paused: true });
		await control.verifyVendor(email);
		await deliverSigned(url, eventOf('late', { email: verifiedVendorEmail }), SECRET);
		await n8n.executions.newestOf(id, 2);

		expect(await statusesOfPayouts()).toEqual([undefined, 'funded']);
		expect(await control.payables()).toMatchObject([
			{ payee_email: email, amount: 12_050, description: `Welcome bonus [${REFERENCE}]` },
		]);
	});
}
