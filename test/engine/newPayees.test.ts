import { randomUUID } from 'node:crypto';

import { daysPass, INVOICE, startHoldingService } from './heldInvoice';
import type { Changes } from './support';

const { pay } = startHoldingService();

const HOLDING = { options: { holdNewPayees: true } };
/** The same invoice as INVOICE, as a person may enter it for another address of the vendor. */
const AGAIN = { ...INVOICE, reference: 'Spring video' };

/** Why a payout waits. */
async function reasonFor(payee: string, changes: Changes): Promise<unknown> {
	const [item] = await pay(
		[{ ...AGAIN, reference: `Video ${payee}`.replace('@', ' '), payee }],
		HOLDING,
		changes,
	);
	return item?.['reason'];
}

const changesOfOne = (): { workflowId: string } => ({ workflowId: randomUUID() });

describe('a payout to a new payee', () => {
	test.each(['office@example.com', 'ana.lopez@mailbox.example'])(
		'names what another address got with the same amount: %s #new-payee-same-amount',
		async (payee) => {
			const changes = changesOfOne();
			await pay([INVOICE], {}, changes);
			daysPass(59, changes);

			expect(await reasonFor(payee, changes)).toContain(
				`"${INVOICE.reference}" to ${INVOICE.payee}`,
			);
		},
	);

	test.each([
		['was paid long ago', INVOICE, {}, 61],
		['was another amount', { ...INVOICE, amount: 999 }, {}, 5],
		['was never sent', INVOICE, { fundingMethod: 'none' }, 5],
	])('names nothing that %s', async (_, earlier, parameters, days) => {
		const changes = changesOfOne();
		await pay([earlier], parameters, changes);
		daysPass(days, changes);

		expect(await reasonFor('office@example.com', changes)).not.toContain(INVOICE.reference);
	});

	test('is not compared where a run has many of them', async () => {
		const changes = changesOfOne();
		await pay([INVOICE], {}, changes);
		const many = Array.from({ length: 11 }, (_, number) => ({
			...AGAIN,
			reference: `Video ${100 + number}`,
			payee: `${number}@example.com`,
		}));

		const all = await pay(many, HOLDING, changes);
		const few = await pay(many.slice(1), HOLDING, changes);

		const named = expect.stringContaining(INVOICE.reference) as unknown;
		expect(all.map(({ reason }) => reason)).not.toContainEqual(named);
		expect(few.map(({ reason }) => reason)).toContainEqual(named);
	});

	test('names only those of its company where many got the amount', async () => {
		const changes = changesOfOne();
		const others = ['ada', 'ben', 'cleo'].map((name) => ({
			...INVOICE,
			reference: `Lamps ${name}`,
			payee: `${name}@${name}.example`,
		}));
		await pay([INVOICE, ...others], {}, changes);

		const ofCompany = await reasonFor('office@example.com', changes);
		const ofNone = await reasonFor('office@elsewhere.example', changes);

		expect(ofCompany).toContain(INVOICE.payee);
		for (const { payee } of others) {
			expect(ofCompany).not.toContain(payee);
			expect(ofNone).not.toContain(payee);
		}
		expect(ofNone).not.toContain(INVOICE.payee);
	});
});
