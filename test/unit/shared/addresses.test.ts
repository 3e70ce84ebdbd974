import fc from 'fast-check';

import {
	addressAdvice,
	areOfOneCompany,
	foldAddress,
	isSameAddress,
} from '../../../nodes/PartnerPayments/shared/addresses';

describe('an e-mail address passes', () => {
	test.each<[what: string, texts: string[]]>([
		['plain', ['ana@example.com', 'ana.ruiz@mail.example.co.uk', 'a@b.c', '7@3m.example']],
		[
			'with a plus and other signs',
			['ana+pay@example.com', 'a_b-c=d@example.com', 'r&d@x.example'],
		],
		['in capitals', ['ANA.Ruiz@Example.COM']],
		['beginning with a usual mark', ['_ana@example.com', '-ana@example.com', '+ana@example.com']],
		[
			'with a name that is also a word of programs',
			[
				'nan@example.com',
				'Null@example.com',
				'j.null@example.com',
				'none@x.example',
				'na@x.example',
			],
		],
		[
			'with other marks inside',
			['50%ex@example.com', 'ana%dept@example.com', 'x/y@z.example', 'ana@null.com', 'x=y@z.com'],
		],
		['with an apostrophe inside', ["o'neil@example.com", "d'arc.j@example.com"]],
		[
			'in other letters',
			[
				'अजय@डाटा.भारत',
				'ana@café.fr',
				'ana@ไทย.คอม',
				'o\u02bcneil@example.com',
				'mar\u212a@example.com',
			],
		],
		[
			'in letters of other countries',
			['änä@exämple.de', 'ана@пример.рф', '用户@例子.公司', 'ana@xn--exmple-cua.de'],
		],
		['with hyphens in the host', ['ana@my-shop.example', 'ana@a--b.example']],
		[
			'as long as one may be',
			[`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(61)}.${'d'.repeat(60)}.de`],
		],
	])('%s: %j', (_, texts) => {
		for (const text of texts) {
			expect([text, addressAdvice(text)]).toEqual([text, undefined]);
		}
	});
});

describe('what is around an e-mail address is to be removed', () => {
	test.each<[text: string, removed: string]>([
		['mailto:ana@example.com', 'Remove "mailto:".'],
		['mailto://ana@example.com', 'Remove "mailto://".'],
		['http://ana@example.com', 'Remove "http://".'],
		['https://ana@example.com/', 'Remove "https://" and "/".'],
		['={{ana@example.com}}', 'Remove "={{" and "}}".'],
		['MAILTO:ana@example.com', 'Remove "MAILTO:".'],
		['Email: ana@example.com', 'Remove "Email: ".'],
		['"ana@example.com"', 'Remove """ and """.'],
		["'ana@example.com'", `Remove "'" and "'".`],
		['\u201cana@example.com\u201d', 'Remove "\u201c" and "\u201d".'],
		['`ana@example.com`', 'Remove "`" and "`".'],
		['*ana@example.com*', 'Remove "*" and "*".'],
		['<ana@example.com>', 'Remove "<" and ">".'],
		['(ana@example.com)', 'Remove "(" and ")".'],
		['[ana@example.com]', 'Remove "[" and "]".'],
		['{ana@example.com}', 'Remove "{" and "}".'],
		['Ana Ruiz <ana@example.com>', 'Remove "Ana Ruiz <" and ">".'],
		['"Ruiz, Ana" <ana@example.com>', 'Remove ""Ruiz, Ana" <" and ">".'],
		['ana@example.com>', 'Remove ">".'],
		['ana@example.com (Ana)', 'Remove " (Ana)".'],
		['ana@example.com?subject=Hi', 'Remove "?subject=Hi".'],
		['ana@example.com/', 'Remove "/".'],
		['ana@example.com:25', 'Remove ":25".'],
		['ana@example.com,', 'Remove ",".'],
		['ana@example.com;', 'Remove ";".'],
		['ana@example.com!', 'Remove "!".'],
		['ana@example.com. Thanks', 'Remove ". Thanks".'],
	])('%s', (text, removed) => {
		expect(addressAdvice(text)).toBe(`${removed} Enter the address alone.`);
	});
});

describe('what is no e-mail address is refused', () => {
	test.each<[advice: string, texts: string[]]>([
		['Remove the dot at the end', ['ana@example.com.']],
		[
			'Remove one of the two dots',
			['ana@example..com', 'ana..ruiz@example.com', 'ana@example.com..'],
		],
		[
			'Remove the dot at the beginning',
			['.ana@example.com', 'ana.@example.com', 'ana@.example.com'],
		],
		['Remove the hyphen', ['ana@-example.com', 'ana@example-.com', 'ana@example.com-']],
		[`Remove "'" at the beginning`, ["'ana@example.com"]],
		['Remove "=" at the beginning', ['=ana@example.com']],
		['Remove "**" at the beginning', ['**ana@example.com']],
		['Remove "email=" at the beginning', ['email=ana@example.com']],
		['Remove "To=" at the beginning', ['To=ana@example.com']],
		['at the beginning', Array.from('!#$%&*/=?^`{|}~', (mark) => `${mark}ana@example.com`)],
		[
			'a word for the name that is missing',
			[
				'undefined@example.com',
				'undefined.undefined@example.com',
				'ana.undefined@example.com',
				'null@example.com',
				'null.null@example.com',
				'NaN@example.com',
				'None@example.com',
				'#N/A@example.com',
				'N/A@example.com',
			],
		],
		[
			'is the code of another character',
			['%20ana@example.com', 'ana%2Bpay@example.com', 'an%C3%A1@example.com'],
		],
		['is the code of another character', ['Mailto:%20ana@example.com', '%22ana@example.com']],
		['is the code of another character', ['ana@example.com%0a']],
		['Enter an address', ['=/.ana@example.com', 'https://example.com/ana@example.com']],
		[
			'Remove all addresses but one',
			['ana@example.com,bob@example.com', 'ana@example.com; bob@x.com', 'ana@x.com\nbob@x.com'],
		],
		['Remove all addresses but one', ['ana@example.com/bob@example.com', 'ana@example.com@x.com']],
		['Remove all "@" but one', ['ana@@example.com']],
		['Remove the white space', ['ana @example.com', 'ana@ example.com', 'ana ruiz@example.com']],
		[
			'Remove the white space',
			['ana@exam ple.com', 'ana\u00a0ruiz@example.com', 'ana@example.com ana'],
		],
		// A comma in place of a dot: what is before it belongs to the address.
		['Remove ",", or correct it', ['ana,ruiz@example.com', 'ana@mail.example,com']],
		['Remove "_", or correct it', ['ana@ex_ample.com']],
		['Remove "\u2019", or correct it', ['o\u2019neil@example.com']],
		[
			'invisible',
			['\ufe0f', '\u034f', '\u3164', '\u115f', '\u200b', '\u00ad', '\u2060', '\u180e'].flatMap(
				(one) => [`ana@example.com${one}`, `a${one}na@example.com`, `${one}ana@example.com`],
			),
		],
		[
			'an accent in it is not part of its letter',
			[
				'ana@example.com\u0301',
				'\u0301ana@example.com',
				'ana@\u0301example.com',
				'ana@cafe\u0301.fr',
			],
		],
		['invisible', ['ana\u202emoc.elpmaxe@example.org', 'ana@example.com\u200b', 'ana\u0000@x.com']],
		['too long', [`${'a'.repeat(65)}@example.com`, `a@${'b.'.repeat(130)}com`]],
		['Enter an address', ['', 'ana', 'ana@', 'ana@example', '@example.com', 'ana at example.com']],
		['Enter an address', ['ana@127.0.0.1', `ana@${'b'.repeat(64)}.com`]],
	])('%s: %j', (advice, texts) => {
		for (const text of texts) {
			expect(addressAdvice(text)).toContain(advice);
		}
	});

	test('and never with advice that names another address', () => {
		const part = fc.constantFrom(
			'ana',
			'bob',
			'.',
			'..',
			' ',
			',',
			"'",
			'<',
			'>',
			':',
			'@',
			'-',
			'/',
			'=',
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
				const text = `${parts.join('')}@example.com`;
				const [, before] =
					/^Remove "(.*)"\. Enter the address alone\.$/.exec(addressAdvice(text) ?? '') ?? [];

				// What is to be removed ends where no address can go on.
				expect(before ?? '<').toMatch(/(?:^|[<:'"])[/='\s]*$/);
			}),
		);
	});
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

test.each([
	['of one domain', 'office@paper.example', 'Accounts@PAPER.example', true],
	['of two domains', 'office@paper.example', 'office@pencil.example', false],
	['where many people have one', 'ana@gmail.com', 'ben@gmail.com', false],
	['where many people of a country have one', 'ana@yahoo.co.uk', 'ben@yahoo.co.uk', false],
	['of a domain that is like those', 'ana@mail.paper.example', 'ben@mail.paper.example', true],
	['that are IDs', 'ven_1', 'ven_2', false],
	['of which one is an ID', 'ven_1', 'office@paper.example', false],
])('two payees %s are of one company, or not: %s, %s', (_, one, other, expected) => {
	expect(areOfOneCompany(one, other)).toBe(expected);
});
