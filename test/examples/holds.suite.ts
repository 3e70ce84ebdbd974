import axios from 'axios';

import { poll } from '../../tools/n8n/poll';
import { addLedger, importExample, pathOf } from '../n8n/support/example';
import { successfulItems } from '../../tools/n8n';
import { addVendor } from '../n8n/support/payouts';
import { settingsOf } from './support/settings';
import { FORM_LOGIN } from './support/form';
import { services, useEmptySandbox, useExamples, usePublished } from './support/instance';
import type { ServiceRequest } from '../../tools/services';
import { answerForm, expectQuoted, HOSTILE } from './support/slack';

export function testHolds(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const FORM = 'Upload the payouts';
	const PAID = 'Paid (a new vendor gets it once verified)';
	const textOf = ({ body }: ServiceRequest): string => JSON.stringify(body);
	const publishExample = usePublished(fixture);

	/** The workflow that a test has published. */
	let id = '';

	/** Publishes an example; `post` sends rows to its form, `upload` waits for its messages, too. */
	async function publish(example: string) {
		const { n8n } = fixture();
		const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
		const ledger = await addLedger(n8n);
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const workflow = await publishExample(example, {
			ledger,
			credentials: { [FORM]: login, 'Ask in Slack': token, 'Tell the result in Slack': token },
		});
		({ id } = workflow);
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
			await post(['email,amount,invoice', ...rows], id);
			const question = await poll('the question in Slack', () => services().requests[seen + 1]);
			const messages = services().requests.slice(seen);

			/** Checks rows in the form; returns what Slack then learns. */
			const check = async (...checked: number[]) => {
				const options = checked.map((row) => `Row ${row}: `);

				const page = await answerForm(question, 'Choose', JSON.stringify(options), 'Ann Lee');
				const ended = await n8n.executions.newestOf(id, n8n.database.executionIds(id).length);

				for (const option of options) {
					expect(page).toContain(option);
				}
				expect(ended.status).toBe('success');
				const paid = checked.length === 0 ? [] : successfulItems(ended, 'Pay after a yes');
				expect(paid.map(({ json }) => json['approved_by'])).toEqual(checked.map(() => 'Ann Lee'));

				return services()
					.requests.slice(seen + 2)
					.map(textOf);
			};

			const [told = '', asked = ''] = messages.map(textOf);

			return { told, asked, messages, check };
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
		expect(await first.check(2)).toEqual([expect.stringContaining(`${PAID}: 1 ($100.00)`)]);

		// Without what the node refuses in an invoice number.
		const hostile = HOSTILE.replaceAll(/[*!?]/g, '').replaceAll(/[\n$]/g, ' ');
		const rows = [
			`${photos},20.00,P-1`,
			`${email},50.00,INV-8`,
			`${email},100.00,"INV 07 ${hostile}"`,
			`${email},twelve,"INV-9 ${hostile}"`,
		];

		const second = await upload(...rows);

		for (const message of second.messages) {
			expectQuoted(message);
		}
		expect(second.asked).toContain('2 payouts are held: $120.00 in total');
		expect(second.told).toContain(
			`${PAID}: 1 ($50.00)\\nHeld, nothing paid: 2 ($120.00)\\nNot paid by this run: 1`,
		);
		expect([await balanceOf(email), await balanceOf(photos)]).toEqual([15_000, 0]);
		// A row that is not held is not paid either.
		expect(await second.check(2)).toEqual([expect.stringContaining(`${PAID}: 1 ($20.00)`)]);
		expect([await balanceOf(email), await balanceOf(photos)]).toEqual([15_000, 2_000]);

		const again = await upload(...rows);

		expect(again.told).toContain(
			'Paid before, nothing paid now: 2 ($70.00)\\nHeld, nothing paid: 1 ($100.00)',
		);
		expect(await again.check()).toEqual([]);
		expect(await sandbox.control.fundings()).toHaveLength(3);

		const last = await upload(...rows);

		// The person says that it is another invoice than INV-7.
		expect(await last.check(4)).toEqual([expect.stringContaining(`${PAID}: 1 ($100.00)`)]);
		expect(await balanceOf(email)).toBe(25_000);
	});

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
		await known.check(2);
		const { check } = await upload(`${email},1000.01,C-1`);
		const other = await importExample(fixture(), 'pay-a-vendor.json', {
			ledger,
			parameters: {
				...settingsOf('pay-a-vendor.json', { email, amount: '1000.01', invoice: 'D-77' }),
				'Pay vendor once': { options: { maxAmount: '2000' } },
			},
		});
		await fixture().n8n.runManually(other.id);

		const [told] = await check(2);

		expect(told).toContain('Held, nothing paid: 1 ($1000.01)');
		expect(told).toContain(
			`If it is another invoice, enter: \`C-1 1000.01 ${email} is not D-77 1000.01 ${email}\``,
		);
		expect(await balanceOf(email)).toBe(130_001);
	});

	test('examples/ask-above-1000.json pays what is above only after a yes', async () => {
		const { sandbox } = fixture();
		const { verifiedVendorEmail: email } = sandbox;
		const { upload } = await publish('ask-above-1000.json');
		const rows = [`${email},1000.00,A-1`, `${email},1000.01,A-2`];
		const known = await upload(`${email},300.00,A-0`);
		await known.check(2);

		const first = await upload(...rows);

		expect(first.told).toContain(`${PAID}: 1 ($1000.00)\\nHeld, nothing paid: 1 ($1000.01)`);
		expect(await first.check()).toEqual([]);
		expect(await balanceOf(email)).toBe(130_000);

		const again = await upload(...rows);

		expect(await again.check(3)).toEqual([expect.stringContaining(`${PAID}: 1 ($1000.01)`)]);
		expect(await balanceOf(email)).toBe(230_001);
		expect(await sandbox.control.fundings()).toHaveLength(3);
	});
}
