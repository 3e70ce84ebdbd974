import { outputItems, successfulItems } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import type { PayoutRequest } from '../../tools/payouts/payout';
import { readLedger } from '../../tools/payouts/ledgerStore';
import { importExample } from '../n8n/support/example';
import { addVendors, payoutsFor, type PayoutWorkflow, usePayouts } from '../n8n/support/payouts';
import { answerForm, type SlackRequest } from './support/slack';
import { answerWithSecret, payVendor } from '../n8n/support/trigger';
import { slack, useExamples } from './support/instance';

export function testPayoutsInDoubt(): void {
	const fixture = useExamples();
	const { createTableWorkflow } = usePayouts(fixture);

	const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

	let payments: PayoutWorkflow;
	let settle: (outcome: 'paid' | 'notPaid', references: string[]) => Promise<unknown>;

	beforeAll(async () => {
		payments = await createTableWorkflow();
		const settling = await createTableWorkflow({
			operation: 'settle',
			outcome: '={{ $json.outcome }}',
		});
		settle = async (outcome, references) =>
			await settling.pay(references.map((reference) => ({ reference, outcome })));
	});

	// What one test leaves in doubt would be asked about in the next.
	afterEach(async () => {
		const { rows } = await readLedger(fixture().n8n, fixture().ledgerTable);
		const doubts = rows.filter(({ state }) => state === 'funding');
		await settle(
			'paid',
			doubts.map(({ reference }) => String(reference)),
		);
	});

	/** Pays a vendor, and loses the answer to the funding before or after it took effect. */
	async function payInDoubt(kind: 'cut_before' | 'cut_after'): Promise<PayoutRequest> {
		const { sandbox } = fixture();
		const [payout] = payoutsFor(await addVendors(sandbox, 1));
		if (payout === undefined) throw new Error('Nobody is to be paid');
		await sandbox.control.addFault({ kind, ...CREATE_FUNDING });
		expect(await payments.pay([payout])).toMatchObject([{ status: 'in_doubt' }]);
		return payout;
	}

	/** The states of payouts in the ledger. */
	async function statesOf(...payouts: PayoutRequest[]): Promise<unknown[]> {
		const { rows } = await readLedger(fixture().n8n, fixture().ledgerTable);
		return payouts.map(
			({ reference }) => rows.find((row) => row['reference'] === reference)?.['state'],
		);
	}

	const balanceOf = async ({ payee }: PayoutRequest): Promise<number> =>
		(await fixture().sandbox.control.vendor(payee)).balance;

	describe('examples/payouts-in-doubt.json', () => {
		const PAID = 'The funding is there: it was paid';
		const NOT_PAID = 'The operator confirms that there is none and none is on its way: not paid';
		const UNKNOWN = 'I do not know yet';

		const textOf = ({ body }: SlackRequest): string => JSON.stringify(body);

		/** Starts the example; `question` waits for the next one in Slack, `told` is what else was posted. */
		const start = async () => {
			const { n8n } = fixture();
			const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
			const { id } = await importExample(fixture(), 'payouts-in-doubt.json', {
				credentials: { 'Ask in Slack': token, 'Tell what was settled': token },
			});
			let seen = slack().requests.length;
			const told: string[] = [];
			const ended = n8n.runManually(id, 'Every weekday at nine');
			const question = async (): Promise<SlackRequest> => {
				const request = await poll('a message in Slack', () => slack().requests[seen]);
				seen += 1;
				if (!textOf(request).includes('"button"')) {
					told.push(textOf(request));
					return await question();
				}
				const isWaiting = () =>
					n8n.database.executions(id).some(({ status }) => status === 'waiting');
				await poll('n8n to wait for the answer', () => isWaiting() || undefined);
				return request;
			};
			const end = async () => {
				const execution = await ended;
				told.push(...slack().requests.slice(seen).map(textOf));
				expect(execution.status).toBe('success');
				return { execution, told };
			};
			return { question, end };
		};

		const answer = async (question: SlackRequest, found: string): Promise<void> => {
			expect(await answerForm(question, 'Say what you found', found)).toContain(found);
		};

		test('settles what a person has found, and nothing else', async () => {
			const paid = await payInDoubt('cut_after');
			const notPaid = await payInDoubt('cut_before');
			const unknown = await payInDoubt('cut_before');
			const answers: Array<[PayoutRequest, string]> = [
				[paid, PAID],
				[notPaid, NOT_PAID],
				[unknown, UNKNOWN],
			];
			const { question, end } = await start();
			for (const _ of answers) {
				const asked = await question();
				const about = answers.find(([{ reference }]) =>
					textOf(asked).includes(`*Was ${reference} paid?* $1.00 to `),
				);
				await answer(asked, about?.[1] ?? 'nothing');
			}
			const { execution, told } = await end();

			expect(await statesOf(paid, notPaid, unknown)).toEqual(['funded', 'approved', 'funding']);
			expect(outputItems(execution, 'Leave it in doubt')).toHaveLength(1);
			expect(told).toHaveLength(2);
			expect(told).toEqual(
				expect.arrayContaining([
					expect.stringContaining(`${paid.reference} is settled: it was paid, and is never sent`),
					expect.stringContaining(`${notPaid.reference} is settled: it was not paid. The next run`),
				]),
			);
			expect(await payments.pay([paid, notPaid, unknown])).toMatchObject([
				{ status: 'duplicate' },
				{ status: 'funded' },
				{ status: 'in_doubt' },
			]);
			expect(await balanceOf(paid)).toBe(paid.amount);
			expect(await balanceOf(notPaid)).toBe(notPaid.amount);
			expect(await balanceOf(unknown)).toBe(0);
		});

		test('opens nothing again by an answer to an earlier doubt', async () => {
			const payout = await payInDoubt('cut_before');
			const { question, end } = await start();
			const asked = await question();
			await settle('notPaid', [payout.reference]);
			await fixture().sandbox.control.addFault({ kind: 'cut_after', ...CREATE_FUNDING });
			expect(await payments.pay([payout])).toMatchObject([{ status: 'in_doubt' }]);
			await answer(asked, NOT_PAID);

			const { execution, told } = await end();
			expect(outputItems(execution, 'Settle as not paid')).toEqual([]);
			expect(outputItems(execution, 'Leave it in doubt')).toHaveLength(1);
			expect(told).toEqual([]);
			expect(await payments.pay([payout])).toMatchObject([{ status: 'in_doubt' }]);
			expect(await balanceOf(payout)).toBe(payout.amount);
		});
	});

	describe('examples/settle-by-event.json', () => {
		let id = '';

		const publish = async (options: object = {}): Promise<void> => {
			const { n8n } = fixture();
			({ id } = await importExample(fixture(), 'settle-by-event.json', {
				options: { 'When a payable is paid': options },
			}));
			await n8n.activate(id);
		};

		afterEach(async () => {
			await fixture().n8n.deactivate(id);
			await fixture().sandbox.control.resumeDeliveries();
		});

		test('closes a doubt when its payable is paid', async () => {
			const { n8n, sandbox } = fixture();
			await publish();
			await sandbox.control.pauseDeliveries();
			const payout = await payInDoubt('cut_after');
			await sandbox.control.resumeDeliveries();
			const execution = await n8n.executions.newestOf(id, 1);
			expect(successfulItems(execution, 'Settle as paid')).toMatchObject([
				{ json: { unique_reference: payout.reference, status: 'funded', is_settled: true } },
			]);
			expect(await payments.pay([payout])).toMatchObject([{ status: 'duplicate' }]);
			expect(await balanceOf(payout)).toBe(payout.amount);

			const payableId = await payVendor(fixture(), 700);
			const other = await n8n.executions.newestOf(id, 2);
			expect(successfulItems(other, 'Settle as paid')).toMatchObject([
				{ json: { payable_id: payableId, is_settled: false } },
			]);
		});

		test('settles nothing by an event that nobody has signed', async () => {
			await answerWithSecret(fixture());
			await publish({ unsignedEvents: 'accept' });
			const payout = await payInDoubt('cut_after');
			const execution = await fixture().n8n.executions.newestOf(id, 1);
			expect(outputItems(execution, 'Settle nothing')).toHaveLength(1);
			expect(await statesOf(payout)).toEqual(['funding']);
		});
	});
}
