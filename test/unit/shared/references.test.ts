import fc from 'fast-check';

import { thrownBy } from '../support';
import {
	assertNotComposed,
	readReference,
} from '../../../nodes/PartnerPayments/shared/referenceReader';
import { matchKeyOf, normalizeReference } from '../../../nodes/PartnerPayments/shared/references';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';

const E_ACUTE = '\u00e9';
const LABEL = 'Unique Reference';

const refusalOf = (value: unknown): unknown => thrownBy(() => readReference(value, LABEL));

describe('a unique reference', () => {
	test.each<[value: unknown, reference: string | undefined]>([
		[' INV-7 ', 'INV-7'],
		[1042, '1042'],
		['\u200b', undefined],
		['x'.repeat(500), 'x'.repeat(500)],
	])('%p is read as %p', (value, reference) => {
		expect(readReference(value, LABEL)).toBe(reference);
	});

	test.each<[value: unknown, reason: string]>([
		[Number('9007199254740993'), 'not exact'],
		[0.5, 'not exact'],
		[['INV-7'], 'a list'],
		[{ number: 7 }, 'an object'],
		[true, 'true'],
		['INV-', 'ends with "-"'],
		['\u{1f389}', 'has no letter or digit'],
		['\u{1f525} \u{1f525}', 'has no letter or digit'],
		['---', 'has no letter or digit'],
		['x'.repeat(501), 'longer than 500 characters'],
		['\ufdfa'.repeat(30), 'longer than 500 characters'],
	])('%p is refused', (value, reason) => {
		expect(refusalOf(value)).toMatchObject({
			name: 'InputError',
			message: expect.stringMatching(`^${LABEL} .*${reason}`),
		});
	});

	test.each(['INV-1] [INV-2', '[INV-1]', 'INV [1', 'INV 1]', 'INV \uff3b1\uff3d'])(
		'%p is refused, since descriptions hold references in brackets',
		(value) => {
			const error = refusalOf(value);

			expect(error).toBeInstanceOf(InputError);
			expect(error).toMatchObject({ message: expect.stringContaining('has a bracket') });
		},
	);

	test.each([
		['blanks at both ends', ' \u00a0INV-7\n', 'INV-7'],
		['an invisible character', 'INV\u200b-7', 'INV-7'],
		['a letter with its accent apart', 'INV-e\u0301', `INV-${E_ACUTE}`],
		['an invisible character before an accent', 'INV-e\u200d\u0301', `INV-${E_ACUTE}`],
		['half of an emoji that was cut in two', 'INV-7\ud83c', 'INV-7'],
		['blanks of other kinds', 'INV\u00a0 5', 'INV 5'],
		['the blank of Braille', '\u2800INV\u28005', 'INV 5'],
		['the choice of a glyph', 'INV 5\ufe0f', 'INV 5'],
		['wide letters', 'ＩＮＶ ５', 'INV 5'],
	])('is compared without %s #look-alike-references', (_, text, normalized) => {
		expect(normalizeReference(text)).toBe(normalized);
		expect(normalizeReference(normalized)).toBe(normalized);
	});

	test('keeps an emoji', () => {
		expect(normalizeReference('INV-7 \u{1f389}')).toBe('INV-7 \u{1f389}');
	});
});

describe('two references have one key', () => {
	test.each([
		['ACME-MARCH', 'ACMEMARCH'],
		['MAY PAYOUTS x', 'MAYPAYOUTS x'],
		["O'NEIL-7", 'ONEIL-7'],
		['O\u02bcNEIL-7', 'ONEIL-7'],
		['O\u2019Neil 7', 'ONEIL-7'],
		['INV-07', 'INV 7'],
		['INV-07', 'inv7'],
		['2026-05-01', '2026/5/1'],
		['2026 - 05', '2026.5'],
		['INV-1 \u{1f389}', 'INV 1'],
		['#INV-1', 'INV+1='],
		['\u00c9T\u00c9-7', '\u00e9t\u00e9 7'],
		['Stra\u00dfe 7', 'STRASSE-7'],
		['STRA\u1e9eE 7', 'strasse-7'],
		['\u0410-1007', 'A-1007'],
		['\u0391\u0395-7', 'ae 7'],
		['\u039f\u0394\u039f\u03a3 \u0391', '\u03bf\u03b4\u03bf\u03c3\u03b1'],
		['\u0421\u0447\u0451\u0442\u21167', '\u0441\u0447\u0451\u0442no 7'],
		[
			'\u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629 \u0660\u0667',
			'\u0627\u0644\u0641\u0627\u062a\u0648\u0631\u0629-7',
		],
		['\u0967\u0968-\u0969', '12-3'],
		['\u0915\u093f-\u0916', '\u0915\u093f\u0916'],
		['\u8acb\u6c42\u66f8\u3001\u2460', '\u8acb\u6c42\u66f8 1'],
		['e-\u0301', '\u00e9'],
	])('%p and %p', (one, other) => {
		expect(matchKeyOf(one)).toBe(matchKeyOf(other));
	});
});

describe('two references have keys of their own', () => {
	test.each([
		['2026-1', '20261'],
		['1-23', '12-3'],
		['INV-1', 'INV-10'],
		['INV-7', 'INV-70'],
		['A0', 'A'],
		['\u{1f389}', '\u{1f525}'],
		['---', '--'],
		['\u{1f389}', '\u{1f389}\u{1f389}'],
		['\u0915\u093f7', '\u0915\u09407'],
		['\u0431', 'b'],
		['\u0967-\u0968\u0969', '\u0967\u0968-\u0969'],
	])('%p and %p', (one, other) => {
		expect(matchKeyOf(one)).not.toBe(matchKeyOf(other));
	});
});

test('a reference without letters and digits is its own key', () => {
	for (const reference of [
		'\u{1f389}',
		'---',
		'\u00a7 \u00a7',
		'\u{1f525} \u{1f525}',
		'\u02bc',
		'\u02b9\u02bc',
	]) {
		expect(matchKeyOf(reference)).toBe(reference);
	}
});

/** Letters, digits, marks and separators of several scripts, among them those that fold in odd ways. */
const CHARACTERS = [
	'a',
	'B',
	'0',
	'1',
	'7',
	'-',
	' ',
	'.',
	"'",
	'\u00df',
	'\u1e9e',
	'\u0130',
	'\u0131',
	'\u017f',
	'\u03a3',
	'\u03c2',
	'\u0301',
	'\u0345',
	'\u0660',
	'\u0967',
	'\u{1f389}',
	'\u2460',
	'\u00bd',
	'\u2167',
	'\u1100',
	'\u1161',
	'\u00a8',
	'\u203e',
	'\u0149',
	'\ufb03',
	'\u1fb3',
	'\u3007',
];

const references = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme-composite' }),
	fc.string({ unit: fc.constantFrom(...CHARACTERS) }),
);

describe('the key of any reference', () => {
	test('is its own key', () => {
		fc.assert(
			fc.property(references, (reference) => {
				const key = matchKeyOf(reference);

				expect(matchKeyOf(key)).toBe(key);
			}),
			{ numRuns: 2_000 },
		);
	});

	test('of one character is its own key, for every script', () => {
		const changing: string[] = [];

		for (let code = 0; code <= 0x10ffff; code += 1) {
			const character = String.fromCodePoint(code);
			// Han folds to itself, and what is not assigned has no case.
			if (/[\p{Cn}\p{Co}\p{Unified_Ideograph}]/u.test(character)) {
				continue;
			}

			const key = matchKeyOf(`x${character}`);
			if (matchKeyOf(key) !== key) {
				changing.push(code.toString(16));
			}
		}

		expect(changing).toEqual([]);
	});

	test('is that of the reference in capitals, in small letters, and as it is normalized', () => {
		fc.assert(
			fc.property(
				fc.string({ unit: fc.constantFrom(...'aB\u00e9\u00df\u03a3\u0416z07- '.split('')) }),
				(text) => {
					const key = matchKeyOf(text);

					expect(matchKeyOf(text.toUpperCase())).toBe(key);
					expect(matchKeyOf(text.toLowerCase())).toBe(key);
					expect(matchKeyOf(normalizeReference(text))).toBe(key);
				},
			),
		);
	});

	test('does not depend on separators beside a letter, and on leading zeros', () => {
		const separator = fc.constantFrom('', '-', ' ', ' - ', '/', '_', '.', '\u2013', '\u3000');
		const parts = fc.tuple(fc.stringMatching(/^[A-Z]{1,4}$/), fc.nat(), separator, separator);
		fc.assert(
			fc.property(parts, ([letters, number, first, second]) => {
				const written = `${letters}${first}00${number}${second}${letters}`;

				expect(matchKeyOf(written)).toBe(matchKeyOf(`${letters}${number}${letters}`));
			}),
		);
	});

	test('tells the same numbers in another order, or cut elsewhere, apart', () => {
		const numbers = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(numbers, numbers, (one, other) => {
				const isSame = one.join('-') === other.join('-');

				expect(matchKeyOf(one.join('/')) === matchKeyOf(other.join(' '))).toBe(isSame);
			}),
		);
	});

	test('is empty for nothing alone', () => {
		fc.assert(
			fc.property(references, (reference) => {
				expect(matchKeyOf(reference) === '').toBe(normalizeReference(reference) === '');
			}),
		);
	});
});

describe('a reference with the address of the payee in it', () => {
	test.each([
		['ana@x.example INV-7', 'ana@x.example'],
		['2026-05 ANA@X.EXAMPLE', 'ana@x.example'],
		['ana@x.example', 'Ana@x.example.'],
		['ana@x.example.-2026-05', 'ana@x.example'],
		['mark@x.example INV-7', 'mark@x.example'],
	])('%p of %p is refused', (reference, payee) => {
		const error = thrownBy(() => {
			assertNotComposed(reference, payee);
		});

		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({ hint: expect.stringContaining('INV-1042') });
	});

	test.each([
		['INV-7', 'ana@x.example'],
		['bob@x.example INV-7', 'ana@x.example'],
		['ana INV-7', 'ana@x.example'],
		['vnd_4c1b7e INV-7', 'vnd_4c1b7e'],
		['INV-7', ''],
	])('%p of %p is not', (reference, payee) => {
		expect(() => {
			assertNotComposed(reference, payee);
		}).not.toThrow();
	});
});
