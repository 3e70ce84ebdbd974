import { createHash } from 'node:crypto';

import { successfulItems } from '../../tools/n8n';
import { deliver } from '../n8n/support/trigger';
import { type Hubspot, hubspot } from './support/hubspot';
import { services, useEmptySandbox, useExamples, usePublished } from './support/instance';
import { settingsOf } from './support/settings';

export function testHubspot(): void {
	const EXAMPLE = 'hubspot-deal-to-payout.json';
	const SECRET = 'made-up-client-secret';
	const DEAL = 58_539_222;

	const fixture = useExamples();
	useEmptySandbox(fixture);
	const publish = usePublished(fixture);
	let id = '';

	/** Publishes the example, which may pay the sandbox's verified vendor, for a deal. */
	async function publishFor(deal: Record<string, string>): Promise<Hubspot> {
		const { n8n, sandbox } = fixture();
		const state = hubspot(DEAL, deal);
		services().serve('api.hubapi.com', state.service);
		const developer = await n8n.createCredential('HubSpot app', 'hubspotDeveloperApi', {
			clientId: 'made-up',
			clientSecret: SECRET,
			apiKey: 'made-up-developer-key',
			appId: '4711',
		});

		const key = await n8n.createCredential('HubSpot', 'hubspotAppToken', {
			appToken: 'made-up-service-key',
		});

		({ id } = await publish(EXAMPLE, {
			credentials: {
				'When a deal changes its stage': developer,
				'Get deal': key,
				'Write status to the deal': key,
			},
			parameters: settingsOf(EXAMPLE, { allowed_vendors: sandbox.verifiedVendorEmail }),
		}));

		return state;
	}

	/** Delivers HubSpot's event, and waits for the end of that many runs. */
	async function changeStage({ targetUrl }: Hubspot, runs: number) {
		const event = [
			{ subscriptionType: 'deal.propertyChange', objectId: DEAL, propertyName: 'dealstage' },
		];
		const signature = createHash('sha256')
			.update(SECRET + JSON.stringify(event))
			.digest('hex');
		await deliver(targetUrl, event, { 'X-HubSpot-Signature': signature });

		return await fixture().n8n.executions.newestOf(id, runs);
	}

	const wonDeal = (): Record<string, string> => ({
		dealname: 'Spring campaign',
		dealstage: 'closedwon',
		vendor_email: ` ${fixture().sandbox.verifiedVendorEmail.toUpperCase()}`,
		vendor_amount: '250.50',
		invoice_number: 'INV-1042',
	});

	test(`examples/${EXAMPLE} pays the vendor of a won deal once`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const state = await publishFor({ ...wonDeal(), dealstage: 'contractsent' });

		// Not signed by HubSpot.
		await deliver(state.targetUrl, [{ subscriptionType: 'deal.propertyChange', objectId: DEAL }]);
		await changeStage(state, 1);

		expect(await control.payables()).toEqual([]);
		expect(state.deal['vendor_payout_status']).toBeUndefined();

		state.deal['dealstage'] = 'closedwon';
		const paid = await changeStage(state, 2);

		const [payout] = successfulItems(paid, 'Pay vendor');
		expect(await control.payables()).toMatchObject([
			{
				id: payout?.json['payable_id'],
				payee_email: email,
				amount: 25_050,
				description: 'Spring campaign [INV-1042]',
				status: 'paid',
			},
		]);
		expect(state.deal['vendor_payout_status']).toBe(
			`Paid (payable ${String(payout?.json['payable_id'])})`,
		);

		await changeStage(state, 3);

		expect(await fixture().n8n.executions.list(id)).toHaveLength(3);
		expect(await control.vendor(email)).toMatchObject({ balance: 25_050 });
		expect(await control.payables()).toHaveLength(1);
	});

	test(`examples/${EXAMPLE} holds a possible duplicate, and says so in the deal`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const state = await publishFor(wonDeal());
		await changeStage(state, 1);

		state.deal['invoice_number'] = 'INV-1024';
		await changeStage(state, 2);

		expect(state.deal['vendor_payout_status']).toMatch(/^Held.*"INV-1042"/);
		expect(await control.vendor(email)).toMatchObject({ balance: 25_050 });
	});

	test(`examples/${EXAMPLE} pays only who is listed, within its limit, an invoice with a number, and nothing unconfirmed again`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const state = await publishFor({ ...wonDeal(), vendor_email: 'eve@example.com' });

		await changeStage(state, 1);

		expect(state.deal['vendor_payout_status']).toMatch(/^Not paid by this run\. .*Allowed Payees/);

		Object.assign(state.deal, wonDeal(), { vendor_amount: '1000.01' });
		await changeStage(state, 2);

		expect(state.deal['vendor_payout_status']).toMatch(/^Not paid by this run\. .*Maximum Amount/);

		Object.assign(state.deal, wonDeal(), { invoice_number: '' });
		await changeStage(state, 3);

		expect(state.deal['vendor_payout_status']).toMatch(
			/^Not paid by this run\. .*Unique Reference/,
		);
		expect(await control.payables()).toEqual([]);

		Object.assign(state.deal, wonDeal());
		await control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });
		for (const runs of [4, 5]) {
			await changeStage(state, runs);

			expect(state.deal['vendor_payout_status']).toMatch(/^Unconfirmed \(payable /);
		}

		expect(await control.requests('createFunding')).toHaveLength(1);
		expect(await control.vendor(email)).toMatchObject({ balance: 25_050 });
	});
}
