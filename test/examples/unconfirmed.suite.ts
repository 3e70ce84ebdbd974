import { byId, outputItems, workflowWithTrigger } from '../../tools/n8n';
import { poll } from '../../tools/n8n/poll';
import type { PayoutRequest } from '../../tools/payouts/payout';
import { readLedger } from '../../tools/payouts/ledgerStore';
import { importExample } from '../n8n/support/example';
import { addVendors, payoutsFor, type PayoutWorkflow, usePayouts } from '../n8n/support/payouts';
import type { ServiceRequest } from '../../tools/services';
import { settingsOf } from './support/settings';
import { expectQuoted, openForm, SHORT_WAIT, slack } from './support/slack';
import { answerWithSecret } from '../n8n/support/trigger';
import { services, useExamples } from './support/instance';

/** The ledger of these tests: the credential says where it is without any changes. */
const OWN_LEDGER = {};

export function testUnconfirmedPayouts(): void {
	const fixture = useExamples();
	const { createWorkflow } = usePayouts(fixture);

	const CREATE_FUNDING = { match: { operationId: 'createFunding' } } as const;

	let payments: PayoutWorkflow;
	let resolve: (outcome: 'paid' | 'notPaid', references: string[]) => Promise<unknown>;

	beforeAll(async () => {
		payments = await createWorkflow();
		const resolving = await createWorkflow({
			operation: 'resolve',
			outcome: '={{ $json.outcome }}',
		});

		resolve = async (outcome, references) =>
			await resolving.pay(references.map((reference) => ({ reference, outcome })));
	});

	// What one test leaves unconfirmed would be asked about in the next.
	afterEach(async () => {
		const { rows } = await readLedger(fixture().n8n, fixture().ledgerTable);
		const rest = rows.filter(({ state }) => state === 'unconfirmed');
		await resolve(
			'paid',
			rest.map(({ reference }) => String(reference)),
		);
	});

	/** Pays a vendor, and loses the answer to the funding before or after it took effect. */
	async function payUnconfirmed(kind: 'cut_before' | 'cut_after'): Promise<PayoutRequest> {
		const { sandbox } = fixture();
		const [plain] = payoutsFor(await addVendors(sandbox, 1));
		if (plain === undefined) {
			throw new Error('There is no vendor to be paid');
		}

		const payout = { ...plain, reference: `${plain.reference} <@U1> @here \`~evil.example` };
		await sandbox.control.addFault({ kind, ...CREATE_FUNDING });

		expect(await payments.pay([payout])).toMatchObject([{ status: 'unconfirmed' }]);

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

	describe('examples/unconfirmed-payouts.json', () => {
		const PAID =
			'The funding is there. If its method is Invoice, its deposit is linked, too: it was paid';
		const NOT_PAID =
			'The operator of the service confirms that there is none and none is on its way: not paid';
		const UNKNOWN = 'I do not know yet';

		const nameOf = ({ reference }: PayoutRequest): string => reference.split(' ', 2).join(' ');
		const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);

		/** Starts the example; `question` waits for the next one in Slack, `told` is what else was posted. */
		const start = async (asking: object = {}) => {
			const { n8n } = fixture();
			const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
			const { id } = await importExample(fixture(), 'unconfirmed-payouts.json', {
				ledger: OWN_LEDGER,
				credentials: {
					'Ask in Slack': token,
					'Tell what was resolved': token,
					'Tell that it stays unconfirmed': token,
				},
				options: { 'Ask in Slack': asking },
			});

			let seen = services().requests.length;
			const told: string[] = [];
			const ended = n8n.runManually(id, 'Every weekday at nine');
			const question = async (): Promise<ServiceRequest> => {
				const request = await poll('a message in Slack', () => services().requests[seen]);
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
				told.push(...services().requests.slice(seen).map(textOf));

				expect(execution.status).toBe('success');

				return { execution, told };
			};

			return { question, end };
		};

		const answer = async (question: ServiceRequest, found: string): Promise<void> => {
			const { page, send } = await openForm(question, 'Say what you found');

			expect(page).toContain(found);

			await send(found, 'Ann Lee');
		};

		test('resolves what a person has found, and nothing else', async () => {
			const paid = await payUnconfirmed('cut_after');
			const notPaid = await payUnconfirmed('cut_before');
			const unknown = await payUnconfirmed('cut_before');
			const answers = [
				{ payout: paid, found: PAID },
				{ payout: notPaid, found: NOT_PAID },
				{ payout: unknown, found: UNKNOWN },
			];

			const { question, end } = await start();
			for (const _ of answers) {
				const asked = await question();
				const about = answers.find(({ payout }) =>
					textOf(asked).includes(`*Was \`${nameOf(payout)} `),
				);

				expectQuoted(asked);
				await answer(asked, about?.found ?? 'nothing');
			}

			const { execution, told } = await end();

			expect(await statesOf(paid, notPaid, unknown)).toEqual(['paid', 'not_paid', 'unconfirmed']);
			expect(outputItems(execution, 'Tell that it stays unconfirmed')).toHaveLength(1);
			expect(told).toHaveLength(3);
			expect(told).toEqual(
				expect.arrayContaining([
					expect.stringMatching(`${nameOf(unknown)} [^<*]+ stays unconfirmed: it is not known yet`),
					expect.stringMatching(
						`${nameOf(paid)} [^<*]+ is resolved: it was paid.+ \`Ann Lee\` is the name`,
					),
					expect.stringMatching(`${nameOf(notPaid)} [^<*]+ is resolved: it was not paid`),
				]),
			);
			expect(await payments.pay([paid, notPaid, unknown])).toMatchObject([
				{ status: 'duplicate' },
				{ status: 'funded' },
				{ status: 'unconfirmed' },
			]);
			expect(await balanceOf(paid)).toBe(paid.amount);
			expect(await balanceOf(notPaid)).toBe(notPaid.amount);
			expect(await balanceOf(unknown)).toBe(0);
		});

		test('resolves no payout by the form of another one', async () => {
			const payouts = [await payUnconfirmed('cut_after'), await payUnconfirmed('cut_after')];
			const { question, end } = await start();
			const first = await question();
			const late = await openForm(first, 'Say what you found');
			await answer(first, UNKNOWN);
			await question();

			await late.send(NOT_PAID, 'Ann Lee');
			const { told } = await end();

			expect(await statesOf(...payouts)).toEqual(['unconfirmed', 'unconfirmed']);
			expect(told).toEqual([
				expect.stringContaining('it is not known yet'),
				expect.stringContaining('the answer came from the form of another payout'),
			]);
		});

		test('resolves nothing without an answer, and says so', async () => {
			const payout = await payUnconfirmed('cut_after');
			const { question, end } = await start(SHORT_WAIT);
			await question();

			const { told } = await end();

			expect(await statesOf(payout)).toEqual(['unconfirmed']);
			expect(told).toEqual([expect.stringContaining('stays unconfirmed: no one has answered')]);
		});

		test('opens nothing again by an answer to an earlier question', async () => {
			const payout = await payUnconfirmed('cut_before');
			const { question, end } = await start();
			const asked = await question();
			await resolve('notPaid', [payout.reference]);
			await fixture().sandbox.control.addFault({ kind: 'cut_after', ...CREATE_FUNDING });

			expect(await payments.pay([payout])).toMatchObject([{ status: 'unconfirmed' }]);

			await answer(asked, NOT_PAID);
			const { execution, told } = await end();

			expect(outputItems(execution, 'Resolve as not paid')).toEqual([]);
			expect(outputItems(execution, 'Tell that it stays unconfirmed')).toHaveLength(1);
			expect(told).toEqual([expect.stringContaining('it has changed since the question')]);
			expect(await payments.pay([payout])).toMatchObject([{ status: 'unconfirmed' }]);
			expect(await balanceOf(payout)).toBe(payout.amount);
		});
	});

	describe('examples/watch-unconfirmed.json', () => {
		const FILE = 'watch-unconfirmed.json';

		/** Imports the example; returns what runs it, with its status and what Slack was told. */
		const watch = async (hours_prepared: number) => {
			const { n8n } = fixture();
			const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
			const { id } = await importExample(fixture(), FILE, {
				ledger: OWN_LEDGER,
				credentials: { 'Tell Slack': token },
				parameters: settingsOf(FILE, { hours_prepared }),
			});

			return async () => {
				services().requests.length = 0;
				const { status } = await n8n.runManually(id);
				const messages = services().requests;

				for (const message of messages) {
					expectQuoted(message);
				}

				return { status, told: messages.map(({ body }) => JSON.stringify(body)) };
			};
		};

		const NOTHING = { status: 'success', told: [] };
		const onePayout = (what: RegExp) => ({
			status: 'success',
			told: [expect.stringMatching(new RegExp(`\\*1 payouts.*${what.source}`))],
		});

		test('tells Slack once what is unconfirmed, or prepared for too long', async () => {
			const [look, lookAtOnce] = [await watch(24), await watch(0)];
			const unconfirmed = await payUnconfirmed('cut_before');

			expect(await lookAtOnce()).toEqual(onePayout(/unconfirmed: /));

			const preparing = await createWorkflow({ fundingMethod: 'none' });
			const [prepared] = payoutsFor(await addVendors(fixture().sandbox, 1));
			const reference = `evil ${prepared?.reference}`;

			expect(await preparing.pay([{ ...prepared, reference }])).toMatchObject([
				{ status: 'prepared' },
			]);
			expect(await look()).toEqual(NOTHING);
			expect(await lookAtOnce()).toEqual(onePayout(/prepared: .*evil INV/));
			expect(await lookAtOnce()).toEqual(NOTHING);

			await resolve('notPaid', [unconfirmed.reference]);
			await fixture().sandbox.control.addFault({ kind: 'cut_before', ...CREATE_FUNDING });
			await payments.pay([unconfirmed]);

			expect(await look()).toEqual(onePayout(/unconfirmed: /));
			expect(await look()).toEqual(NOTHING);
		});

		test('tells in the next run what Slack did not take', async () => {
			const look = await watch(24);
			await payUnconfirmed('cut_before');
			services().serve('slack.com', () => ({ ok: false, error: 'fatal_error' }));

			const failed = await look();
			services().serve('slack.com', slack);
			const next = await look();
			const last = await look();

			expect(failed.status).toBe('error');
			expect(failed.told.length).toBeGreaterThan(0);
			expect(next).toEqual(onePayout(/unconfirmed: /));
			expect(last).toEqual(NOTHING);
		});
	});

	test('a verified event resolves what is unconfirmed, and one without a signature does not', async () => {
		const { n8n, sandbox, createClient } = fixture();
		const { control, workspaceId } = sandbox;
		const listen = async (options: object): Promise<string> => {
			const parameters = { workspaceId: byId(workspaceId), events: ['payablePaid'], options };
			const workflow = workflowWithTrigger(parameters, await createClient());
			const { id } = await n8n.createWorkflow(workflow);
			await n8n.activate(id);

			return id;
		};

		await answerWithSecret(fixture());
		const unsigned = await listen({ unsignedEvents: 'accept' });
		const first = await payUnconfirmed('cut_after');
		await n8n.executions.newestOf(unsigned, 1);

		expect(await statesOf(first)).toEqual(['unconfirmed']);

		await n8n.deactivate(unsigned);
		await control.clearFaults();
		const signed = await listen({});
		await control.setSettings({ paused: true });
		const payout = await payUnconfirmed('cut_after');
		await control.setSettings({ paused: false });
		await n8n.executions.newestOf(signed, 1);
		await n8n.deactivate(signed);

		expect(await statesOf(payout)).toEqual(['paid']);
		expect(await payments.pay([payout])).toMatchObject([
			{ status: 'duplicate', first_status: 'paid' },
		]);
		expect(await balanceOf(payout)).toBe(payout.amount);
	});
}
