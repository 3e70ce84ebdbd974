import { codeOf, runCode } from './codeNodes';

describe('the page of a month', () => {
	const payout = (payee: string, sent: string, cents: number, group = 'Paid') => ({
		payee,
		sent,
		cents,
		group,
	});

	const pageOf = async (payouts: object[]): Promise<string> => {
		const code = codeOf('monthly-statement', 'Draw the reconciliation');
		const input = [{ subject: 'May', text: 'Paid: 1\n\nThe wallet holds $5.00 now.' }];
		const [item] = await runCode(code, { input, nodes: { 'Name each status': [{ payouts }] } });

		return String(item?.['html']);
	};

	/** The rows of the table with a title: what each is called, how many, and dollars. */
	const rowsUnder = (page: string, title: string): string[][] => {
		const [, table = ''] = page.split(`>${title}</h2>`);
		const [body = ''] = table.split('</table>');

		return [...body.matchAll(/<tr>(?<row>.*?)<\/tr>/gs)].map(({ groups }) =>
			[...(groups?.['row'] ?? '').matchAll(/<td[^>]*>(?<text>[^<]*)<\/td>/g)].map(
				(cell) => cell.groups?.['text'] ?? '',
			),
		);
	};

	test('counts as unconfirmed only what may have been paid', async () => {
		const code = codeOf('monthly-statement', 'Name each status');
		const statuses = ['paid', 'surplus', 'preparing', 'sending', 'unconfirmed', 'not_paid', 'void'];
		const input = statuses.map((status) => ({ status, amount_cents: 100 }));

		const settings = {
			mail_from: 'books@example.com',
			bookkeeper: 'books@example.com',
			first_day: '2026-05-01',
			last_day: '2026-05-31',
		};

		const [item] = await runCode(code, { input, settings });

		const groups = (item?.['payouts'] as Array<{ group: string }>).map(({ group }) => group);
		expect(groups).toEqual([
			'Paid',
			'Not sent',
			'In progress',
			'In progress',
			'Unconfirmed',
			'Not sent',
			'Void',
		]);
	});

	test('has a bar for each week from Monday, and for each vendor, the largest first', async () => {
		const page = await pageOf([
			payout('ann@example.com', '2026-05-03T23:59:00.000Z', 10_000),
			payout('bob@example.com', '2026-05-04T00:00:00.000Z', 25_000),
			payout('ann@example.com', '2026-05-10T12:00:00.000Z', 7),
			payout('eve@example.com', '2026-05-10T12:00:00.000Z', 400, 'Held'),
		]);

		expect(rowsUnder(page, 'By status')).toEqual([
			['Paid', '3', '$350.07'],
			['Held', '1', '$4.00'],
		]);
		expect(rowsUnder(page, 'Paid, by week from Monday')).toEqual([
			['2026-04-27', '1', '$100.00'],
			['2026-05-04', '2', '$250.07'],
		]);
		expect(rowsUnder(page, 'Paid, by vendor')).toEqual([
			['bob@example.com', '1', '$250.00'],
			['ann@example.com', '2', '$100.07'],
		]);
		expect(page).toContain('The wallet holds $5.00 now.');
		expect(page.match(/width: 100%; height/g)).toHaveLength(3);
	});

	test('shows the words of others as words', async () => {
		const page = await pageOf([
			payout('<img src=x onerror="alert(1)">@example.com', '2026-05-04T00:00:00.000Z', 1),
		]);

		expect(page).not.toMatch(/<img|<script/);
		expect(page).toContain('&#60;img');
	});

	test('says of a month without payouts that there are none', async () => {
		const page = await pageOf([]);

		expect(rowsUnder(page, 'Paid, by vendor')).toEqual([['None']]);
	});
});
