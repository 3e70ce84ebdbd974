import { setTimeout as delay } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import type { SendToN8n } from '../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { type Ledger, LedgerError, type Payment } from '../../nodes/PartnerPayments/ledger/ledger';
import { isRecord } from '../../nodes/PartnerPayments/shared/values';
import { type Random, seeded } from '../../tools/random';
import { TestTable } from '../n8n/support/ledgerTable';
import { paymentOf } from '../unit/ledger/ledgerContract';

const RUNS = 24;
const TRIES = 3;
const PAYMENTS = 24;
const MOST_TOGETHER = 4;
/** How often an answer is lost, a request takes effect after it was given up, and one never arrives. */
const SHARE = 0.05;
const MOST_LATE_MS = 500;
const LATENCY_MS = 20;
const FUNDING_MS = 50;

const LOOK = encodeURIComponent('"type":"or"');

/** Shows a run its own rows alone. */
function blindly(send: SendToN8n): SendToN8n {
	const tokens = new Set<unknown>();
	return async (request) => {
		for (const { attempt } of recordsIn(request.body)) tokens.add(attempt);
		const answer = await send(request);
		if (request.method !== 'GET' || !request.path.includes(LOOK)) return answer;
		const data = recordsIn(answer.body).filter(({ attempt }) => tokens.has(attempt));
		return { status: answer.status, body: { data } };
	};
}

function recordsIn(body: unknown): IDataObject[] {
	const data: unknown[] = isRecord(body) && Array.isArray(body.data) ? body.data : [];
	return data.filter(isRecord);
}

/** The attempts that were handed out. */
class Attempts {
	readonly begun = new Set<string>();
	/** What was begun again before the first attempt was withdrawn. */
	readonly begunTwice = new Set<string>();
	private readonly open = new Set<string>();

	begin(payments: Payment[]): void {
		for (const { reference } of payments) {
			if (this.open.has(reference)) this.begunTwice.add(reference);
			this.begun.add(reference);
			this.open.add(reference);
		}
	}

	withdraw(payments: Payment[]): void {
		for (const { reference } of payments) this.open.delete(reference);
	}
}

/** Tries to pay together: the service refuses some, and does not answer others. */
async function pay(
	ledger: Ledger,
	payments: Payment[],
	attempts: Attempts,
	random: Random,
): Promise<void> {
	const beginning = await ledger.begin(payments);
	if ('blocked' in beginning) return;
	const { attempt } = beginning;
	attempts.begin(payments);
	await delay(FUNDING_MS * random());
	const outcome = random();
	if (outcome < 0.1) await attempt.leaveUnconfirmed();
	else if (outcome < 0.7) await attempt.complete('funded', 'fund-1');
	else {
		attempts.withdraw(payments);
		await attempt.withdraw();
	}
}

/** Tests that of runs at the same time one begins each payment. */
export function testTableRaces(send: () => SendToN8n): void {
	/**
	 * Has many runs begin payments in groups that overlap, while answers are lost, late or missing.
	 *
	 * @param see what a run sees of the answers
	 */
	async function race(see = (all: SendToN8n): SendToN8n => all): Promise<Attempts> {
		const reach = send();
		const random = seeded(1);
		const late: Array<Promise<unknown>> = [];
		const faulty: SendToN8n = async (request) => {
			await delay(LATENCY_MS * random());
			const chance = random();
			if (chance >= 3 * SHARE) return await reach(request);
			if (chance < SHARE) await reach(request);
			else if (chance < 2 * SHARE)
				late.push(delay(MOST_LATE_MS * random()).then(async () => await reach(request)));
			throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
		};
		const table = await TestTable.make(reach);
		const payments = Array.from({ length: PAYMENTS }, (_, index) => paymentOf(`INV-${index}`));
		const attempts = new Attempts();
		const run = async (): Promise<void> => {
			const ledger = table.open('sandbox', see(faulty));
			for (let tries = 0; tries < TRIES; tries += 1) {
				const first = Math.floor(PAYMENTS * random());
				const group = payments.slice(first, first + 1 + Math.floor(MOST_TOGETHER * random()));
				await pay(ledger, group, attempts, random).catch((error: unknown) => {
					expect(error).toBeInstanceOf(LedgerError);
				});
			}
		};
		await Promise.all(Array.from({ length: RUNS }, run));
		await Promise.all(late);
		return attempts;
	}

	test('no payment is begun twice by many runs at once, while answers are lost, late and missing', async () => {
		const { begun, begunTwice } = await race();
		expect([...begunTwice]).toEqual([]);
		expect(begun.size).toBeGreaterThan(PAYMENTS / 4);
	});

	test('runs that do not look before they send do begin twice', async () => {
		const { begunTwice } = await race(blindly);
		expect(begunTwice.size).toBeGreaterThan(0);
	});
}
