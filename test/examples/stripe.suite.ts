import { DateTime } from 'luxon';

import { nodeError } from '../../tools/n8n';
import { importExample } from '../n8n/support/example';
import { services, useEmptySandbox, useExamples } from './support/instance';
import { settingsOf } from './support/settings';
import { type Charge, type Refund, stripe } from './support/stripe';

export function testStripe(): void {
	const EXAMPLE = 'stripe-charges-to-commissions.json';
	const HOLD = { days: 30 };

	/** The month to pay, whose hold is over on each day of this month, and the one after it. */
	const month = DateTime.utc().startOf('month').minus({ months: 3 });
	const next = month.plus({ months: 1 });

	const fixture = useExamples();
	useEmptySandbox(fixture);

	let count = 0;
	const charge = (
		affiliate: string | undefined,
		at: DateTime,
		dollars: number,
		more: Partial<Charge> = {},
	): Charge => ({
		id: `ch_${(count += 1)}`,
		created: at.toUnixInteger(),
		status: 'succeeded',
		captured: true,
		disputed: false,
		currency: 'usd',
		amount_captured: dollars * 100,
		metadata: affiliate === undefined ? {} : { affiliate },
		...more,
	});

	const refund = (of: Charge, at: DateTime, dollars: number, status = 'succeeded'): Refund => ({
		id: `re_${(count += 1)}`,
		created: at.toUnixInteger(),
		status,
		currency: of.currency,
		amount: dollars * 100,
		charge: of,
	});

	/** Imports the example; returns what runs it. */
	async function importWith(settings: Record<string, unknown> = {}) {
		const { n8n, sandbox } = fixture();
		const key = await n8n.createCredential('Stripe', 'stripeApi', { secretKey: 'made-up-key' });
		const email = sandbox.verifiedVendorEmail;
		const { id } = await importExample(fixture(), EXAMPLE, {
			credentials: { 'Get charges': key, 'Get refunds': key },
			parameters: settingsOf(EXAMPLE, {
				month: month.toFormat('yyyy-MM'),
				affiliates: JSON.stringify({ ANA: email, BEN: email, CAL: email }),
				...settings,
			}),
		});

		return async () => await n8n.runManually(id);
	}

	/** What was paid, with its reference, the largest amount first. */
	const paid = async () =>
		(await fixture().sandbox.control.payables())
			.map(({ description, amount }) => ({
				reference: /\[(.+)\]/.exec(description ?? '')?.[1],
				amount,
			}))
			.sort((one, other) => other.amount - one.amount);

	test(`examples/${EXAMPLE} pays each affiliate's share of a month once, less refunds`, async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const before = month.minus({ days: 20 });
		const first = charge('ana ', month, 100);
		const last = charge('ANA', next.minus({ seconds: 1 }), 50.5);
		const early = charge('ANA', before, 70);
		const disputed = charge('BEN', month.plus({ days: 3 }), 400, { disputed: true });
		const young = charge('ANA', next, 1000);
		const refunded = charge('CAL', month.plus({ days: 6 }), 20);
		const charges = [
			first,
			last,
			early,
			disputed,
			young,
			charge('BEN', month.plus({ days: 4 }), 30),
			charge('BEN', month.plus({ days: 5 }), 30, { status: 'failed' }),
			charge('BEN', month.plus({ days: 5 }), 30, { captured: false }),
			charge('BEN', month.plus({ days: 6 }), 30, { currency: 'eur' }),
			refunded,
			charge('EVE', month.plus({ days: 7 }), 900),
			charge(undefined, month.plus({ days: 8 }), 900),
		];

		const refunds = [
			refund(last, next.plus(HOLD).minus({ seconds: 1 }), 20.5),
			refund(first, month.plus({ days: 9 }), 10),
			refund(first, month.plus({ days: 9 }), 40, 'failed'),
			refund(first, next.plus(HOLD), 5),
			// Counted for its own month: its hold was not over.
			refund(early, month.plus(HOLD).minus({ seconds: 1 }), 30),
			// That month was paid by then.
			refund(early, month.plus(HOLD), 11),
			refund(disputed, month.plus({ days: 9 }), 400),
			refund(young, next.plus({ days: 1 }), 1000),
			refund(refunded, next, 20),
		];

		services().serve('api.stripe.com', stripe(charges, refunds));
		const run = await importWith();
		const name = month.toFormat('yyyy-MM');
		// Ana: 10 % of 100 + 50.50 - 20.50 - 10 - 11. Ben: 10 % of 30.
		const expected = [
			{ reference: `Commission ${name} ANA`, amount: 1_090 },
			{ reference: `Commission ${name} BEN`, amount: 300 },
		];

		expect(await run()).toMatchObject({ status: 'success' });
		expect(await paid()).toEqual(expected);
		expect(services().requests[0]).toMatchObject({ authorization: 'Bearer made-up-key' });
		expect(await run()).toMatchObject({ status: 'success' });
		expect(await paid()).toEqual(expected);
		expect(await control.vendor(email)).toMatchObject({ balance: 1_390 });
	});

	test(`examples/${EXAMPLE} holds the same commission to one address, and fails with the reason`, async () => {
		const charges = [charge('ANA', month, 100), charge('BEN', month, 100)];
		services().serve('api.stripe.com', stripe(charges, []));
		const run = await importWith();
		const [ana, ben] = ['ANA', 'BEN'].map(
			(affiliate) => `Commission ${month.toFormat('yyyy-MM')} ${affiliate}`,
		);

		const ended = await run();

		expect(nodeError(ended, 'Stop for a person')?.message).toMatch(
			new RegExp(`${ben} \\(held\\): .*"${ana}"`),
		);
		expect(await fixture().sandbox.control.fundings()).toHaveLength(1);
		expect(
			await fixture().sandbox.control.vendor(fixture().sandbox.verifiedVendorEmail),
		).toMatchObject({
			balance: 1_000,
		});
	});

	test(`examples/${EXAMPLE} reads and pays nothing for what is no month, or without each address`, async () => {
		const charges = [charge('ANA', month, 500), charge('CAL', month, 300)];
		services().serve('api.stripe.com', stripe(charges, []));
		const email = fixture().sandbox.verifiedVendorEmail;
		const wrong = [
			{ month: month.set({ day: 15 }).toISODate() },
			{ month: `={{ $now.minus({ months: 3 }) }}` },
			{ affiliates: JSON.stringify({ ANA: email, BEN: '' }) },
		];

		for (const settings of wrong) {
			const ended = await (await importWith(settings))();

			expect(nodeError(ended, 'Set period')?.message).toBeDefined();
		}

		expect(services().requests).toEqual([]);
		expect(await paid()).toEqual([]);
	});

	test(`examples/${EXAMPLE} pays nothing during the hold, above a limit, or without all pages`, async () => {
		const sale = charge('ANA', month, 100);
		const refunds = [1, 2, 3].map((day) => refund(sale, month.plus({ days: day }), 1));
		const answer = stripe([sale], refunds);
		services().serve('api.stripe.com', answer);

		const early = await (await importWith({ month: next.toFormat('yyyy-MM'), hold_days: 62 }))();

		expect(nodeError(early, 'Stop: the hold is not over')?.message).toMatch(/^Nothing was paid/);
		expect(services().requests).toEqual([]);

		const above = await (await importWith({ maximum_amount: '9.69' }))();

		expect(nodeError(above, 'Stop for a person')?.message).toContain('Maximum Amount');

		services().serve('api.stripe.com', (request) =>
			request.query.has('starting_after') ? undefined : answer(request),
		);

		const incomplete = await (await importWith())();

		expect(nodeError(incomplete, 'Get refunds')?.message).toBeDefined();
		expect(await paid()).toEqual([]);
	});
}
