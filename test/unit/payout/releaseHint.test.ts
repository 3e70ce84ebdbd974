import type { Release } from '../../../nodes/PartnerPayments/ledger/ledger';
import { releaseHint } from '../../../nodes/PartnerPayments/resources/payout/releaseHint';

const differentFrom = (mayBePaid: boolean, ...lines: string[]): Release => ({
	kind: 'ifDifferent',
	lines,
	mayBePaid,
	hasResolved: false,
});

const VOID: Release = {
	kind: 'ifDifferent',
	lines: ['A is not B'],
	mayBePaid: true,
	hasResolved: true,
};
const SAME: Release = { kind: 'sameInvoice' };
const FIND_OUT: Release = { kind: 'findOutFirst' };
const AFTER_YES: Release = { kind: 'afterYes' };

/** What each way out is told by. */
const WORDS = {
	line: 'add the line "A is not B"',
	lines: 'each line of its own "different_invoice"',
	thisOne: '"Not Paid" for this one',
	wrongOne: '"Not Paid" for the wrong one',
	resolved: 'A person resolved',
	same: 'in another workspace',
	findOut: 'Ask the operator',
	yes: 'After a yes',
	secondNode: 'in a second node',
};

type Word = keyof typeof WORDS;

test.each<[name: string, releases: Release[], words: Word[]]>([
	['nothing that is held', [], []],
	['a yes alone', [AFTER_YES], ['yes', 'secondNode']],
	['an unpaid look-alike', [differentFrom(false, 'A is not B')], ['line', 'wrongOne']],
	['a look-alike that may be paid', [differentFrom(true, 'A is not B')], ['line', 'thisOne']],
	['two look-alikes', [differentFrom(true, 'A is not B', 'A is not C')], ['lines', 'thisOne']],
	['a look-alike that is void', [VOID], ['line', 'thisOne', 'resolved']],
	['the same invoice elsewhere', [SAME], ['same']],
	['what must be found out', [FIND_OUT], ['findOut']],
	[
		'all of them',
		[differentFrom(true, 'A is not B'), FIND_OUT, AFTER_YES],
		['line', 'thisOne', 'findOut', 'yes', 'secondNode'],
	],
])('%s is told by its own way out, and by no other', (_, releases, words) => {
	const hint = releaseHint(releases);

	const found = Object.entries(WORDS).flatMap(([word, text]) => (hint.includes(text) ? word : []));

	expect(found.sort()).toEqual([...words].sort());
});

test('where one look-alike of many may be paid, no hint lets a person choose which one is left out first', () => {
	const hint = releaseHint([differentFrom(true, 'A is not B'), differentFrom(false, 'C is not D')]);

	expect(hint).toContain(WORDS.thisOne);
	expect(hint).not.toContain(WORDS.wrongOne);
});
