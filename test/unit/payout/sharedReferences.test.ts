import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import {
	readRequest,
	type PayoutRequest,
} from '../../../nodes/PartnerPayments/resources/payout/request';
import { rejectPossibleDuplicates } from '../../../nodes/PartnerPayments/resources/payout/sharedReferences';
import type { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import type { ReadItem } from '../../../nodes/PartnerPayments/execution/operation';

const WORKSPACE = '7d6d4b1e-0f3c-4a53-9b0e-2f1c8f7a5e10';

/** What an item asks for: a payee, an amount in dollars, and a reference. */
type Asked = [payee: string, amount: string, reference: string];

function itemOf([payee, amount, reference]: Asked, index: number, different = ''): ItemParameters {
	const parameters: INodeParameters = {
		uniqueReference: reference,
		workspaceId: WORKSPACE,
		fundingMethod: 'balance',
		payee: { __rl: true, mode: 'email', value: payee },
		amount,
		options: { differentInvoice: different },
		'options.differentInvoice': different,
	};
	const n8n = {
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
	};
	const node = { type: 'partnerPayments', parameters };
	return new ItemParameters(n8n as unknown as IExecuteFunctions, index, {}, node);
}

/** Sends items of one run; returns the errors of those that are rejected, by their index. */
function rejectionsOf(asked: Asked[], { unread = [] as Asked[], different = '' } = {}) {
	const entries = asked.map((one, index): ReadItem<PayoutRequest> => {
		const item = itemOf(one, index, different);
		return { item, input: readRequest(item) };
	});
	const unreadItems = unread.map((one, index) => itemOf(one, asked.length + index));
	const errors: Record<number, InputError> = {};

	rejectPossibleDuplicates(entries, unreadItems, ({ index }, error) => {
		errors[index] = error;
	});

	return errors;
}

/** What the hint of a rejected item offers as "Different Invoice", a line for each. */
const offeredBy = ({ hint = '' }: Partial<InputError> = {}): string =>
	[...hint.matchAll(/"([^"]+ is not [^"]+)"/g)].map(([, line]) => line).join('\n');

describe('items that the option "Different Invoice" lets pass', () => {
	test.each<[what: string, one: Asked, other: Asked]>([
		['two vendors', ['ana@example.com', '10.00', 'JULY'], ['ben@example.com', '10.00', 'JULY']],
		[
			'a number with words around it',
			['ana@example.com', '10.00', '1042'],
			['ana@example.com', '10.00', 'Bill 1042'],
		],
	])('of %s are told what to enter, and pass with it', (_, one, other) => {
		const refused = rejectionsOf([one, other]);
		const passed = rejectionsOf([one, other], { different: offeredBy(refused[0]) });

		expect(Object.keys(refused)).toEqual(['0', '1']);
		expect(offeredBy(refused[0]).split('\n')).toHaveLength(1);
		expect(passed).toEqual({});
	});
});

describe('items that no option lets pass', () => {
	test.each<[what: string, one: Asked, other: Asked]>([
		['two amounts', ['ana@example.com', '10.00', 'JULY'], ['ana@example.com', '20.00', 'JULY']],
		['two spellings', ['ana@example.com', '10.00', 'INV-7'], ['ana@example.com', '10.00', 'inv07']],
	])('of one vendor, with %s, are not told to enter any', (_, one, other) => {
		const errors = rejectionsOf([one, other]);

		expect(Object.keys(errors)).toEqual(['0', '1']);
		expect(Object.values(errors).map(offeredBy)).toEqual(['', '']);
	});

	test('come first, before another vendor at one amount', () => {
		const errors = rejectionsOf([
			['ana@example.com', '10.00', 'JULY'],
			['ana@example.com', '20.00', 'JULY'],
			['ben@example.com', '10.00', 'JULY'],
		]);

		expect(errors[0]?.message).toMatch(/^Items 0, 1 /);
		expect(offeredBy(errors[0])).toBe('');
		expect(errors[2]?.message).toMatch(/^Items 0, 2 /);
		expect(offeredBy(errors[2])).not.toBe('');
	});

	test('stand beside one that cannot be read, which is corrected first', () => {
		const errors = rejectionsOf([['ana@example.com', '10.00', 'JULY']], {
			unread: [['ben@example.com', 'twelve', 'july']],
		});

		expect(errors[0]?.message).toMatch(/^Items 0, 1 .* 1 cannot be read/);
		expect(offeredBy(errors[0])).toBe('');
	});
});

test('items of two vendors with two amounts all pass', () => {
	const errors = rejectionsOf([
		['ana@example.com', '10.00', 'JULY'],
		['ben@example.com', '20.00', 'JULY'],
	]);

	expect(errors).toEqual({});
});
