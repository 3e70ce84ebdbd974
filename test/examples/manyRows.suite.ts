import axios from 'axios';

import { pathOf } from '../n8n/support/example';
import { FORM_LOGIN } from './support/form';
import { useEmptySandbox, useExamples, usePublished } from './support/instance';

/** So long a node may take for 10,000 rows, in milliseconds. */
const MOST_TIME = 3_000;

/** The node that asks the ledger about each row: its time is not of the template. */
const PAYS = /^Pay/;

const FORM = 'Upload the payouts';

export function testManyRows(): void {
	const fixture = useExamples();
	useEmptySandbox(fixture);
	const publish = usePublished(fixture);

	/** Uploads 10,000 rows, one of them above the limit, so that none is paid; returns how long each node took at least. */
	async function timesOf(example: string): Promise<Map<string, number>> {
		const { n8n } = fixture();
		const login = await n8n.createCredential('Login', 'httpBasicAuth', FORM_LOGIN);
		const token = await n8n.createCredential('Slack', 'slackApi', { accessToken: 'made-up' });
		const workflow = await publish(example, {
			credentials: { [FORM]: login, 'Ask in Slack': token, 'Tell the result in Slack': token },
		});
		const lines = Array.from({ length: 10_000 }, (_, index) => {
			const amount = index === 5_000 ? '99999.00' : '1.00';

			return `v${index}@example.com,${amount},INV-${index}x${index}`;
		});
		const form = new FormData();
		const rows = ['email,amount,invoice', ...lines].join('\n');
		form.set('field-0', new Blob([rows], { type: 'text/csv' }), 'payouts.csv');
		form.set('field-1', workflow.id);
		const { user: username, password } = FORM_LOGIN;
		const auth = { username, password };
		const times = new Map<string, number>();

		// Twice, as n8n's first run is slow, and others use the machine.
		for (const count of [1, 2]) {
			await axios.post(`${n8n.url}/form/${pathOf(workflow)}`, form, { auth, proxy: false });
			const { data } = await n8n.executions.newestOf(workflow.id, count);

			for (const [name, runs] of Object.entries(data.resultData.runData)) {
				const time = Math.max(...runs.map(({ executionTime = 0 }) => executionTime));
				times.set(name, Math.min(time, times.get(name) ?? Infinity));
			}
		}

		return times;
	}

	test.each(['hold-possible-duplicates.json', 'ask-above-1000.json'])(
		'examples/%s takes 10,000 rows in time',
		async (example) => {
			const times = await timesOf(example);

			const slow = [...times].filter(([name, time]) => !PAYS.test(name) && time >= MOST_TIME);

			expect([...times.keys()]).toContain('Tell the result in Slack');
			expect(slow).toEqual([]);
		},
	);
}
