import {
	foldAddress,
	isEmailAddress,
	isSameAddress,
} from '../../../nodes/PartnerPayments/shared/addresses';

test.each<[is: boolean, what: string, texts: string[]]>([
	[true, 'plain', ['ana@example.com', 'ana.ruiz+pay@mail.example.co.uk', 'a@b.c']],
	[true, 'with the final dot of the host', ['ana@x.example.']],
	[true, 'in other letters', ['änä@exämple.de']],
	[true, 'as long as one may be', [`${'a'.repeat(242)}@example.com`]],
	[false, 'too long', [`${'a'.repeat(243)}@example.com`]],
	[false, 'without a host', ['ana', 'ana@', 'ana@example', 'ana@.com', 'ana@example.']],
	[false, 'with an empty part of the host', ['ana@example..com', 'ana@x.example..']],
	[false, 'without a name', ['', '@example.com']],
	[false, 'two', ['ana@example.com@example.com', 'ana@example.com,bob@example.com']],
	[false, 'two', ['ana@example.com;bob@example.com', 'ana@example.com\nbob@example.com']],
	[false, 'with blanks', ['Ana <ana@example.com>', 'ana @example.com']],
	[false, 'with hidden characters', ['ana\u202emoc.elpmaxe@example.org', 'ana@example.com\u200b']],
	[false, 'with hidden characters', ['ana\u0000@example.com']],
])('an e-mail address is %p: what is %s: %j', (is, _, texts) => {
	for (const text of texts) {
		expect([text, isEmailAddress(text)]).toEqual([text, is]);
	}
});

describe('an e-mail address', () => {
	test.each([
		['in capitals', 'ANA.Ruiz@X.Example'],
		['with the final dot of the host', 'ana.ruiz@x.example.'],
	])('is the same address %s', (_, other) => {
		expect(isSameAddress('ana.ruiz@x.example', other)).toBe(true);
		expect(foldAddress(other)).toBe('ana.ruiz@x.example');
	});

	test.each([
		['with a Kelvin sign', 'mark@x.example', 'mar\u212a@x.example'],
		['with a dotted capital I', 'ina@x.example', '\u0130na@x.example'],
		['with another accent in capitals', '\u00e4na@x.example', '\u00c4na@x.example'],
		['with full-width letters', 'ana@x.example', '\uff41na@x.example'],
		['with a dot before the host', 'ana@x.example', 'ana.@x.example'],
		['with two final dots', 'ana@x.example', 'ana@x.example..'],
	])('is another address %s', (_, one, other) => {
		expect(isSameAddress(one, other)).toBe(false);
	});

	test('is no service ID, whose final dot belongs to it', () => {
		expect(foldAddress('VND_4c1.')).toBe('vnd_4c1.');
	});
});
