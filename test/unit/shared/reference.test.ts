import { normalizeReference } from '../../../nodes/PartnerPayments/shared/reference';

const E_ACUTE = '\u00e9';

describe('a unique reference', () => {
	test.each([
		['blanks at both ends', ' \u00a0INV-7\n', 'INV-7'],
		['an invisible character', 'INV\u200b-7', 'INV-7'],
		['a letter with its accent apart', 'INV-e\u0301', `INV-${E_ACUTE}`],
		['an invisible character before an accent', 'INV-e\u200d\u0301', `INV-${E_ACUTE}`],
		['half of an emoji that was cut in two', 'INV-7\ud83c', 'INV-7'],
	])('is compared without %s', (_, text, normalized) => {
		expect(normalizeReference(text)).toBe(normalized);
		expect(normalizeReference(normalized)).toBe(normalized);
	});

	test('keeps an emoji', () => {
		expect(normalizeReference('INV-7 \u{1f389}')).toBe('INV-7 \u{1f389}');
	});
});
