import { setTimeout as delay } from 'node:timers/promises';

import { type Ledger, LedgerError } from '../../nodes/PartnerPayments/ledger/ledger';
import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/table/n8nApi';
import { seeded } from '../../tools/random';
import { storeOf, TestTable } from '../n8n/support/ledgerTable';
import { paymentOf } from '../unit/ledger/ledgerRuns';

const RUNS = 24;
const TRIES = 3;
const PAYMENTS = 24;
const MOST_TOGETHER = 4;
/** How often an answer is lost, a request takes effect after it was given up, and one never arrives. */
const SHARE = 0.05;
const MOST_LATE_MS = 500;
const LATENCY_MS = 20;
const FUNDING_MS = 50;

/** Tests that of runs at the same time one begins each payment. */
export function testTableRaces(send: () => SendToN8n): void {
	test('no payment is begun twice by many runs at once, while answers are lost, late and missing', async () => {
		const reach = send();
		const random = seeded(1);
		const late: Array<Promise<unknown>> = [];
		const faulty: SendToN8n = async (request) => {
			await delay(LATENCY_MS * random());
			const chance = random();

			if (chance >= 3 * SHARE) {
				return await reach(request);
			}

			if (chance < SHARE) {
				await reach(request);
			} else if (chance < 2 * SHARE) {
				late.push(delay(MOST_LATE_MS * random()).then(async () => await reach(request)));
			}

			throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
		};

		const table = await TestTable.shared(reach);
		const references = Array.from({ length: PAYMENTS }, (_, index) => `INV-${index}`);
		/** What was begun, and not withdrawn before it was begun again. */
		const open = new Set<string>();
		const begun: string[] = [];
		const begunTwice: string[] = [];

		/** Tries to pay together: the service refuses some, and does not answer others. */
		const pay = async (ledger: Ledger, group: string[]): Promise<void> => {
			const beginning = await ledger.begin(group.map((reference) => paymentOf(reference)));

			if (beginning.kind === 'blocked') {
				return;
			}

			begun.push(...group);
			begunTwice.push(...group.filter((reference) => open.has(reference)));

			for (const reference of group) {
				open.add(reference);
			}

			await delay(FUNDING_MS * random());
			const outcome = random();

			if (outcome < 0.1) {
				await beginning.claim.leaveUnconfirmed();
			} else if (outcome < 0.7) {
				await beginning.claim.complete('funded', 'fund-1');
			} else {
				for (const reference of group) {
					open.delete(reference);
				}

				await beginning.claim.withdraw();
			}
		};

		const run = async (): Promise<void> => {
			const ledger = table.open({ store: storeOf(faulty) });
			for (let tries = 0; tries < TRIES; tries += 1) {
				const first = Math.floor(PAYMENTS * random());
				const last = first + 1 + Math.floor(MOST_TOGETHER * random());
				await pay(ledger, references.slice(first, last)).catch((error: unknown) => {
					expect(error).toBeInstanceOf(LedgerError);
				});
			}
		};

		await Promise.all(Array.from({ length: RUNS }, run));
		await Promise.all(late);

		expect(begunTwice).toEqual([]);
		expect(new Set(begun).size).toBeGreaterThan(PAYMENTS / 4);
	});
}
