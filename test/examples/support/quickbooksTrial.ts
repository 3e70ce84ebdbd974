import { poll } from '../../../tools/n8n/poll';
import type { ServiceRequest } from '../../../tools/services';
import type { Fixture } from '../../n8n/support/fixture';
import { addVendor } from '../../n8n/support/payouts';
import { services, useEmptySandbox, usePublished } from './instance';
import { type Bill, quickBooks, type QuickBooks } from './quickbooks';
import { settingsOf } from './settings';
import { ANN, HOSTILE, pressButton, SLACK_CREDENTIAL } from './slack';

/** The file of the template. */
export const EXAMPLE = 'quickbooks-bills-to-payouts.json';
const COMPANY = '4620816365';
const DAILY = 'Every day at nine';
const SLACK_NODES = [
	'Ask in Slack',
	'Remind in Slack',
	'Tell that nothing is paid',
	'Tell the result in Slack',
	'Tell what is not booked',
];
const QUICKBOOKS_NODES = [
	'Get open bills',
	'Get vendors',
	'Get bank accounts',
	'Get each bill again',
	'Get vendors again',
	'Find the bill',
	'Get its payments',
	'Get its vendor',
	'Book the payment',
];

/** A second vendor whom the service has verified. */
export const PHOTOS = 'photos@example.com';

/** The day in so many days, as QuickBooks writes it. */
export const dayIn = (days: number): string =>
	new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A message to Slack, with all that it shows. */
export const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);

/** Whether a message to Slack has buttons. */
export const isQuestion = (message: ServiceRequest): boolean =>
	textOf(message).includes('"button"');

/** Publishes the template for the books of a company before each test; returns what tests do with it. */
export function useQuickBooks(fixture: () => Fixture) {
	useEmptySandbox(fixture);
	const publish = usePublished(fixture);

	/** The workflow that a test has published, and the books that it works with. */
	let id = '';
	let books: QuickBooks;

	beforeEach(async () => {
		const { sandbox } = fixture();
		await sandbox.control.setSettings({ paused: false });
		await sandbox.control.clearFaults();
		await addVendor(sandbox, PHOTOS);
		books = quickBooks(COMPANY);
		services().serve('quickbooks.api.intuit.com', books.service);
		books.vendors = [
			{ Id: '1', DisplayName: 'Ana', PrimaryEmailAddr: { Address: sandbox.verifiedVendorEmail } },
			{ Id: '2', DisplayName: 'Photos Ltd', PrimaryEmailAddr: { Address: ' Photos@Example.com' } },
			{ Id: '3', DisplayName: `No address ${HOSTILE}` },
		];
		await publishFor();
	});

	/** Publishes the example with these settings, and options of the nodes that ask, and of the trigger. */
	async function publishFor(values: object = {}, asking: object = {}, event: object = {}) {
		const { n8n } = fixture();
		const slack = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
		const accounting = await n8n.createCredential('QuickBooks', 'quickBooksOAuth2Api', {
			clientId: 'made-up',
			clientSecret: 'made-up',
			environment: 'production',
			oauthTokenData: { access_token: 'made-up-token', token_type: 'Bearer' },
		});
		const workflow = await publish(EXAMPLE, {
			credentials: Object.fromEntries([
				...SLACK_NODES.map((name) => [name, slack] as const),
				...QUICKBOOKS_NODES.map((name) => [name, accounting] as const),
			]),
			options: {
				'Ask in Slack': asking,
				'Remind in Slack': asking,
				'When a payable is paid': event,
			},
			parameters: settingsOf(EXAMPLE, {
				company_id: COMPANY,
				bank_account_id: '35',
				approvers: `U0OTHER, ${ANN.id}`,
				...values,
			}),
		});
		({ id } = workflow);
	}

	/** Enters a bill in the books. */
	const addBill = (number: string, vendor: string, amount: number, more: object = {}): Bill => {
		const bill = {
			Id: String(books.bills.length + 100),
			DocNumber: number,
			VendorRef: { value: vendor },
			CurrencyRef: { value: 'USD' },
			DueDate: dayIn(3),
			TotalAmt: amount,
			Balance: amount,
			LinkedTxn: [],
			...more,
		};
		books.bills.push(bill);

		return bill;
	};

	/** What was posted to Slack. */
	const messages = (): ServiceRequest[] =>
		services().requests.filter(({ path }) => path === '/api/chat.postMessage');

	/** Starts the daily run; `question` waits for the one that it asks. */
	const start = () => {
		const { n8n } = fixture();
		const seen = messages().length;
		const since = (): ServiceRequest[] => messages().slice(seen);
		const ended = n8n.runManually(id, DAILY);

		return {
			question: async () => await poll('the question', () => since().find(isQuestion)),
			/** What else Slack was told, once the run has ended. */
			end: async (): Promise<string> => {
				const { status } = await ended;

				expect(status).toBe('success');

				return since()
					.filter((message) => !isQuestion(message))
					.map(textOf)
					.join('\n');
			},
		};
	};

	/** A daily run that asks nothing; returns what Slack was told. */
	const run = async (): Promise<string> => {
		const asked = messages().filter(isQuestion).length;
		const told = await start().end();

		expect(messages().filter(isQuestion)).toHaveLength(asked);

		return told;
	};

	/** A daily run whose question Ann answers, after what else happens meanwhile. */
	const answer = async (label: string, meanwhile = () => {}) => {
		const { question, end } = start();
		const asked = await question();
		meanwhile();
		await pressButton(fixture().n8n.url, asked, label);

		return { asked: textOf(asked), told: await end() };
	};

	/** Waits until the service's events have all been delivered, and what they started has ended. */
	const settle = async (): Promise<void> => {
		const { n8n, sandbox } = fixture();
		await poll('the deliveries', async () => {
			const { waiting, sending } = await sandbox.control.deliveryCounts();

			return waiting + sending === 0 || undefined;
		});
		await n8n.executions.allFinished(id);
	};

	/** Waits until so many payments are booked, and expects that they are those of the service, to the cent. */
	const expectBooked = async (count: number): Promise<void> => {
		await settle();

		const { control } = fixture().sandbox;
		const paid = (await control.payables()).filter(({ status }) => status === 'paid');
		const booked = books.payments.map((payment) => {
			const vendor = books.vendors.find(({ Id: own }) => own === payment.VendorRef.value);

			return {
				id: payment.PrivateNote.split(' ').at(-1),
				amount: Math.round(payment.TotalAmt * 100),
				payee_email: vendor?.PrimaryEmailAddr?.Address.trim().toLowerCase(),
			};
		});

		expect(booked).toHaveLength(count);
		expect(booked).toEqual(
			expect.arrayContaining(
				paid.map(({ id: payable, amount, payee_email }) => ({ id: payable, amount, payee_email })),
			),
		);
		expect(paid).toHaveLength(count);
	};

	const balanceOf = async (email: string): Promise<number> =>
		(await fixture().sandbox.control.vendor(email)).balance;

	return {
		workflowId: () => id,
		books: () => books,
		publishFor,
		addBill,
		messages,
		start,
		run,
		answer,
		settle,
		expectBooked,
		balanceOf,
	};
}
