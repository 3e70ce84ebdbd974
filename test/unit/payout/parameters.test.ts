import type { IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import { Ledgers } from '../../../nodes/PartnerPayments/execution/ledgers';
import { readLimit } from '../../../nodes/PartnerPayments/execution/safeguards';
import { rejectionOf, thrownBy } from '../support';

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

describe('a limit', () => {
	const limitIn = (options: NodeParameterValueType): unknown => {
		const node = { type: 'partnerPayments', parameters: { options } };
		const item = new ItemParameters({} as unknown as IExecuteFunctions, 0, node);
		return readLimit(item, 'maxTotal', 'Maximum Total');
	};

	test('is none where it was not added', () => {
		expect([limitIn({}), limitIn(undefined)]).toEqual([undefined, undefined]);
	});

	test('is not lost when an expression stands in place of all options', () => {
		expect(thrownBy(() => limitIn('={{ { maxTotal: 100 } }}'))).toMatchObject({
			message: 'Options is an expression',
		});
	});
});
