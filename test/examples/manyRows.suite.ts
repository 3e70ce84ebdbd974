import axios from 'axios';

import { pathOf } from '../n8n/support/example';
import { FORM_LOGIN } from './support/form';
import { useEmptySandbox, useExamples, usePublished } from './support/instance';

/** So long a node may take for 10,000 rows, in milliseconds. */
const MOST_TIME = 3_000;

/** The node that asks the ledger about each row: its time is not of the template. */
const PAYS = /^Pay/;

export function testManyRows(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const publish = usePublished(fixture);

	/** Uploads 10,000 rows, one of them above the limit, so that none is paid; returns how long each node took. */
	async function timesOf(example: string, trigger: string, fields: string[]) {
		const { n8n } = fixture();
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
		const workflow = await publish(example, {
			credentials: { [trigger]: login, 'Ask in Slack': token, 'Tell the result in Slack': token },
		});
		const lines = Array.from({ length: 10_000 }, (_, index) => {
			const amount = index === 5_000 ? '99999.00' : '1.00';

			return `v${index}@example.com,${amount},INV-${index}x${index}`;
		});
		const form = new FormData();
		for (const [index, value] of fields.entries()) {
			form.set(`field-${index}`, value);
		}

		const rows = ['email,amount,invoice', ...lines].join('\n');
		form.set(`field-${fields.length}`, new Blob([rows], { type: 'text/csv' }), 'payouts.csv');
		form.set(`field-${fields.length + 1}`, workflow.id);
		const { user: username, password } = FORM_LOGIN;
		const auth = { username, password };
		await axios.post(`${n8n.url}/form/${pathOf(workflow)}`, form, { auth, proxy: false });
		const { data } = await n8n.executions.newestOf(workflow.id, 1);
		const { runData } = data.resultData;

		return Object.entries(runData).map(([name, runs]) => ({
			name,
			time: Math.max(...runs.map(({ executionTime = 0 }) => executionTime)),
		}));
	}

	test.each([
		['hold-possible-duplicates.json', 'Upload the payouts', []],
		['ask-above-1000.json', 'Upload the payouts', []],
	])('examples/%s takes 10,000 rows in time', async (example, trigger, fields) => {
		const times = await timesOf(example, trigger, fields);

		expect(times.map(({ name }) => name)).toContain('Tell the result in Slack');
		for (const { time } of times.filter(({ name }) => !PAYS.test(name))) {
			expect(time).toBeLessThan(MOST_TIME);
		}
	});
}
