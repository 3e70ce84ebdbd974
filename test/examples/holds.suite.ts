import axios from 'axios';

import { poll } from '../../tools/n8n/poll';
import { addLedger, importExample, pathOf } from '../n8n/support/example';
import { outputItems } from '../../tools/n8n';
import { addVendor } from '../n8n/support/payouts';
import { settingsOf } from './support/settings';
import { FORM_LOGIN } from './support/form';
import { services, useEmptySandbox, useExamples, usePublished } from './support/instance';
import type { ServiceRequest } from '../../tools/services';
import {
	ANN,
	approverOf,
	APPROVERS,
	BOB,
	expectQuoted,
	HOSTILE,
	pressButton,
	pressTogether,
	SHORT_WAIT,
	SLACK_CREDENTIAL,
} from './support/slack';

export function testHolds(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const FORM = 'Upload the payouts';
	const PAID = 'Paid (a new vendor gets it once verified)';
	const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);
	const publishExample = usePublished(fixture);

	/** What was posted to Slack for all to see. */
	const posted = (): ServiceRequest[] =>
		services().requests.filter(({ path }) => path === '/api/chat.postMessage');

	/** Whether a message asks, and is no reminder, such as that of another example that waits meanwhile. */
	const isFirstAsked = (message: ServiceRequest): boolean =>
		/^(?!.*Reminder: ).*"button"/.test(textOf(message));

	/** The workflow that a test has published. */
	let id = '';

	/** Publishes an example; `post` sends rows to its form, `upload` waits for its messages, too. */
	async function publish(example: string, values: object = {}, asking: object = {}) {
		const { n8n } = fixture();
		const token = await n8n.createCredential('Slack', 'slackApi', SLACK_CREDENTIAL);
		const ledger = await addLedger(n8n);
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const workflow = await publishExample(example, {
			ledger,
			credentials: {
				[FORM]: login,
				'Ask in Slack': token,
				'Remind in Slack': token,
				'Tell that nothing is paid': token,
				'Tell the result in Slack': token,
			},
			options: { 'Ask in Slack': asking, 'Remind in Slack': asking },
			parameters: settingsOf(example, { approvers: APPROVERS, ...values }),
		});
		const { id: own } = workflow;
		id = own;
		const post = async (rows: string[], hidden: string): Promise<void> => {
			const form = new FormData();
			form.set('field-0', new Blob([rows.join('\n')], { type: 'text/csv' }), 'payouts.csv');
			form.set('field-1', hidden);
			const { user: username, password } = FORM_LOGIN;
			const auth = { username, password };
			await axios.post(`${n8n.url}/form/${pathOf(workflow)}`, form, { auth, proxy: false });
		};

		const upload = async (...rows: string[]) => {
			const seen = services().requests.length;
			await post(['email,amount,invoice', ...rows], own);
			const question = await poll('the question in Slack', () =>
				services().requests.slice(seen).find(isFirstAsked),
			);
			const messages = services().requests.slice(seen);

			const before = posted().length;

			/** What Slack learns until the workflow has ended, and who agreed to each payout. */
			const end = async () => {
				const ended = await n8n.executions.newestOf(own, n8n.database.executionIds(own).length);
				const agreed = outputItems(ended, 'Pay after a yes');

				expect(ended.status).toBe('success');

				return {
					told: posted().slice(before).map(textOf),
					approvers: agreed.map(({ json }) => json['approved_by']),
				};
			};

			/** Has Ann press a button. */
			const answer = async (label: string) => {
				expect(await pressButton(n8n.url, question, label)).toBe(200);

				return await end();
			};

			const [told = ''] = messages.map(textOf);

			return { told, asked: textOf(question), messages, question, answer, end };
		};

		return { post, upload, ledger };
	}

	const balanceOf = async (email: string): Promise<number> =>
		(await fixture().sandbox.control.vendor(email)).balance;

	test('examples/hold-possible-duplicates.json pays a new vendor and a possible duplicate only after a yes', async () => {
		const { sandbox, n8n } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		const photos = 'photos@example.com';
		await addVendor(sandbox, photos);
		const { post, upload } = await publish('hold-possible-duplicates.json');

		await post(['email,amount,invoice', `${email},100.00,INV-7`], 'forged');
		await n8n.executions.newestOf(id, 1);

		expect(await sandbox.control.payables()).toEqual([]);

		const first = await upload(`${email},100.00,INV-7`);

		expect(first.told).toContain(`Row 2: \`${email}\`, \`invoice INV-7\`, \`100.00\``);
		expect(first.told).toContain('Held, nothing paid: 1 ($100.00)');
		expect(await balanceOf(email)).toBe(0);
		expect(await first.answer('Pay')).toEqual({
			told: [expect.stringContaining(`${PAID}: 1 ($100.00)`)],
			approvers: [approverOf(ANN)],
		});

		// Without what the node refuses in an invoice number.
		const hostile = HOSTILE.replaceAll(/[*!?]/g, '').replaceAll(/[\n$]/g, ' ');
		const photo = `${photos},20.00,P-1`;
		const others = [
			`${email},50.00,INV-8`,
			`${email},100.00,"INV 07 ${hostile}"`,
			`${email},twelve,"INV-9 ${hostile}"`,
		];

		const second = await upload(photo, ...others);

		for (const message of second.messages) {
			expectQuoted(message);
		}
		expect(second.asked).toContain('Pay 2 held payouts: $120.00 in total?');
		expect(second.asked).toContain('each possible duplicate below is another invoice');
		expect(second.told).toContain(
			`${PAID}: 1 ($50.00)\\nHeld, nothing paid: 2 ($120.00)\\nNot paid by this run: 1`,
		);
		expect([await balanceOf(email), await balanceOf(photos)]).toEqual([15_000, 0]);
		expect(await second.answer('Do not pay')).toEqual({
			told: [expect.stringContaining('A person has declined: no held payout is paid now.*')],
			approvers: [],
		});
		expect(await balanceOf(photos)).toBe(0);

		// A person pays some of what was held by a file with these rows.
		const third = await upload(photo);
		await third.answer('Pay');

		expect([await balanceOf(email), await balanceOf(photos)]).toEqual([15_000, 2_000]);

		const last = await upload(photo, ...others);

		expect(last.told).toContain(
			'Paid before, nothing paid now: 2 ($70.00)\\nHeld, nothing paid: 1 ($100.00)',
		);
		expect(await last.answer('Pay')).toMatchObject({
			told: [expect.stringContaining(`${PAID}: 1 ($100.00)`)],
		});
		expect(await balanceOf(email)).toBe(25_000);
		expect(await sandbox.control.fundings()).toHaveLength(4);
	});

	test.each(['hold-possible-duplicates.json', 'ask-above-1000.json'])(
		'examples/%s takes the yes of approvers only, and pays once when two of them answer',
		async (example) => {
			const { n8n, sandbox } = fixture();
			const { verifiedVendorEmail: email } = sandbox;
			const { upload } = await publish(example);
			const { question, end } = await upload(`${email},100.00,INV-7`);

			await pressTogether(n8n.url, question, 'Pay');
			const { told, approvers } = await end();

			expect(told).toEqual([expect.stringContaining(`${PAID}: 1 ($100.00)`)]);
			expect([approverOf(ANN), approverOf(BOB)]).toEqual(expect.arrayContaining(approvers));
			expect(approvers).toHaveLength(1);
			expect(await balanceOf(email)).toBe(10_000);
			expect(await sandbox.control.fundings()).toHaveLength(1);
		},
	);

	// Both at once: n8n looks once a minute for waits that are over.
	test('examples/hold-possible-duplicates.json and examples/ask-above-1000.json take no yes of others, remind once, and say that they pay nothing without an answer', async () => {
		const { n8n, sandbox } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		const ask = async (example: string, amount: string) => {
			const { upload } = await publish(example, { approvers: BOB.id }, SHORT_WAIT);
			const { question, end } = await upload(`${email},${amount},INV-7`);

			expect(await pressButton(n8n.url, question, 'Pay')).toBe(200);

			return { amount, end };
		};
		const asked = [
			await ask('hold-possible-duplicates.json', '100.00'),
			await ask('ask-above-1000.json', '70.00'),
		];

		const results = await Promise.all(
			asked.map(async ({ amount, end }) => ({ amount, ...(await end()) })),
		);

		const refusals = services().requests.filter(({ path }) => path === '/api/chat.postEphemeral');
		expect(refusals).toHaveLength(asked.length);
		for (const { amount, told, approvers } of results) {
			expect(told.filter((text) => text.includes(`$${amount}`))).toEqual([
				expect.stringContaining(`Reminder: *Pay 1 held payouts: $${amount} in total?*`),
				expect.stringContaining('No one has answered: no held payout is paid now.*'),
			]);
			expect(approvers).toEqual([]);
		}
		expect(await balanceOf(email)).toBe(0);
		expect(await sandbox.control.fundings()).toEqual([]);
	});

	test.each(['hold-possible-duplicates.json', 'ask-above-1000.json'])(
		'examples/%s pays nothing while no one may answer',
		async (example) => {
			const { n8n, sandbox } = fixture();
			const { post } = await publish(example, { approvers: ' ' });

			await post(['email,amount,invoice', `${sandbox.verifiedVendorEmail},1.00,A-1`], id);
			await n8n.executions.newestOf(id, 1);

			expect(posted().map(textOf)).toEqual([
				expect.stringContaining('Nothing was paid: `Enter Slack IDs as approvers'),
			]);
			expect(await sandbox.control.payables()).toEqual([]);
		},
	);

	test('examples/hold-possible-duplicates.json says in Slack why it pays nothing of a doubtful file', async () => {
		const { control, verifiedVendorEmail: email } = fixture().sandbox;
		const { post } = await publish('hold-possible-duplicates.json');
		const names = HOSTILE.replaceAll(/[",;]/g, ' ').replaceAll('\n', ' ');

		await post([`email,amount,invoice,${names},${names}`, `${email},1.00,A-1,,`], id);
		await fixture().n8n.executions.newestOf(id, 1);

		const [told] = services().requests;
		expect(textOf(told as ServiceRequest)).toContain('Nothing was paid: ');
		expectQuoted(told);
		expect(await control.payables()).toEqual([]);
	});

	test('examples/ask-above-1000.json holds again what was paid under another number while a person decided', async () => {
		const { sandbox } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		const { upload, ledger } = await publish('ask-above-1000.json');
		const known = await upload(`${email},300.00,C-0`);
		await known.answer('Pay');
		const { answer } = await upload(`${email},1000.01,C-1`);
		const other = await importExample(fixture(), 'pay-a-vendor.json', {
			ledger,
			parameters: {
				...settingsOf('pay-a-vendor.json', { email, amount: '1000.01', invoice: 'D-77' }),
				'Pay vendor once': { options: { maxAmount: '2000' } },
			},
		});
		await fixture().n8n.runManually(other.id);

		const {
			told: [told],
		} = await answer('Pay');

		expect(told).toContain('Held, nothing paid: 1 ($1,000.01)');
		expect(told).not.toContain('is not D-77');
		expect(await balanceOf(email)).toBe(130_001);

		const again = await upload(`${email},1000.01,C-1`);
		await again.answer('Pay');

		expect(await balanceOf(email)).toBe(230_002);
	});

	test('examples/ask-above-1000.json pays what is above only after a yes', async () => {
		const { sandbox } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		const { upload } = await publish('ask-above-1000.json');
		const rows = [`${email},1000.00,A-1`, `${email},1000.01,A-2`];
		const known = await upload(`${email},300.00,A-0`);
		await known.answer('Pay');

		const first = await upload(...rows);

		expect(first.told).toContain(`${PAID}: 1 ($1,000.00)\\nHeld, nothing paid: 1 ($1,000.01)`);
		expect((await first.answer('Do not pay')).approvers).toEqual([]);
		expect(await balanceOf(email)).toBe(130_000);

		const again = await upload(...rows);

		expect(await again.answer('Pay')).toEqual({
			told: [expect.stringContaining(`${PAID}: 1 ($1,000.01)`)],
			approvers: [approverOf(ANN)],
		});
		expect(await balanceOf(email)).toBe(230_001);
		expect(await sandbox.control.fundings()).toHaveLength(3);
	});
}
