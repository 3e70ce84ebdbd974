import type { IExecuteFunctions } from 'n8n-workflow';

import { Ledgers } from '../../../nodes/PartnerPayments/execution/ledgers';
import { rejectionOf } from '../support';

/** A node whose parameter is as each item says. */
const nodeWith = (name: string, values: unknown[], parameters = {}): IExecuteFunctions => {
	const n8n = {
		getNode: () => ({ type: 'partnerPayments', parameters }),
		getInputData: () => values.map(() => ({ json: {} })),
		getNodeParameter: (asked: string, index: number, fallback: unknown) => {
			if (asked === 'rememberIn' && name !== asked) return 'dataTable';
			return asked === name ? values[index] : fallback;
		},
	};
	return n8n as unknown as IExecuteFunctions;
};

test.each([
	['rememberIn', ['node', 'dataTable']],
	[
		'ledgerTable',
		[
			{ mode: 'name', value: 'One' },
			{ mode: 'name', value: 'Two' },
		],
	],
])(
	'items that name different ledgers (%s) are refused before anything is sent',
	async (name, values) => {
		const ledgers = new Ledgers(nodeWith(name, values));
		const opened = ledgers.open({ kind: 'payout', environment: 'sandbox' });
		expect(await rejectionOf(opened)).toMatchObject({
			message: 'The items name different ledgers',
		});
	},
);

test.each([
	['rememberIn', '={{ $fromAI("where") }}', 'Remember In'],
	['ledgerTable', { mode: 'name', value: '={{ $fromAI("table") }}' }, 'Ledger Table'],
])('a ledger that a model would choose (%s) is refused', async (name, written, label) => {
	const ledgers = new Ledgers(nodeWith(name, ['dataTable'], { [name]: written }));
	const opened = ledgers.open({ kind: 'payout', environment: 'sandbox' });
	expect(await rejectionOf(opened)).toMatchObject({
		message: `${label} reads $fromAI, which a model fills in`,
	});
});
