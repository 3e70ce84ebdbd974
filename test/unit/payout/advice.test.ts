import { conflictError } from '../../../nodes/PartnerPayments/ledger/conflict';
import {
	answerError,
	MissingTableError,
} from '../../../nodes/PartnerPayments/ledger/dataTable/apiErrors';
import { inDoubtHint } from '../../../nodes/PartnerPayments/resources/payout/inDoubtHint';
import { request } from './request';

const doubtful = (payableId?: string) => ({
	state: 'funding' as const,
	facts: { ...(payableId !== undefined && { payable_id: payableId }) },
	isApprovalUnanswered: false,
});

describe.each([
	['in dataTable', 'dataTable', { isOutsideTable: false }],
	['in node', 'node', {}],
	['of the node, which keeps its references in a table now', 'dataTable', { isOutsideTable: true }],
] as const)('the advice on a payout in doubt %s', (name, rememberIn, more) => {
	const hint = inDoubtHint(request({ rememberIn }), { ...doubtful('pay_1'), ...more });

	test('says where to look, and that the payable tells nothing', () => {
		expect(hint).toContain('a funding whose description names "INV-1"');
		expect(hint).toContain('Conclude nothing from the state of the payable');
	});

	test('has the operator confirm before anything is paid', () => {
		const [before = '', after = ''] = hint.split('Only when they confirm');
		expect(before).not.toMatch(/Not Paid|by hand|run it again/);
		expect(after).toMatch(name.includes('node') ? /by hand/ : /outcome Not Paid, and run it again/);
		expect(after).toMatch(/Until then, pay it in no other way\.$/);
	});

	test('proposes no other reference', () => {
		expect(hint).not.toMatch(/(another|new|other) (unique )?reference/i);
	});
});

test.each([
	['pay_1', 'a funding for the payable pay_1, 1.00 to ada@example.com'],
	[undefined, 'a funding of 1.00 to ada@example.com'],
])('a funding that does not name its references is found by its payable %s', (id, text) => {
	expect(inDoubtHint(request({ isReferenceShown: false }), doubtful(id))).toContain(text);
});

test('a reference that stands for something else is not to be replaced by another one', () => {
	const { message, hint } = conflictError({ reference: 'INV-1', content: 'B' }, 'A');
	expect(message).toBe(
		'Unique Reference "INV-1" stands for A, which may have gone through already, and this item asks for B',
	);
	expect(hint).toContain('send this item in no other way and under no other name');
	expect(hint).not.toMatch(/(another|new|other) (unique )?reference/i);
});

test('a table that was deleted is not to be replaced by a new one', () => {
	const body = { message: 'Could not find the data table' };
	const error = answerError({ status: 404, body }, 'dataTableRow:read', 'localhost:5678');
	expect(error).toBeInstanceOf(MissingTableError);
	expect(error.hint).toMatch(/^Unpublish \(deactivate\) the workflows .*restored from a backup/);
	expect(error.hint).toContain('Do not take a new table in its place');
});
