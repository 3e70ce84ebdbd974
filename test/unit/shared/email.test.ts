import { isEmailAddress } from '../../../nodes/PartnerPayments/shared/email';

test.each([
	['ana@example.com', true],
	['ana.ruiz+pay@mail.example.co.uk', true],
	['a@b.c', true],
	['änä@exämple.de', true],
	[`${'a'.repeat(242)}@example.com`, true],
	[`${'a'.repeat(243)}@example.com`, false],
	['ana', false],
	['ana@example', false],
	['ana@.com', false],
	['ana@example.', false],
	['@example.com', false],
	['ana@', false],
	['ana@example.com@example.com', false],
	['ana@example.com,bob@example.com', false],
	['ana@example.com;bob@example.com', false],
	['Ana <ana@example.com>', false],
	['ana @example.com', false],
	['ana@example.com\nbob@example.com', false],
	['ana\u202emoc.elpmaxe@example.org', false],
	['ana@example.com\u200b', false],
	['ana\u0000@example.com', false],
	['', false],
])('whether %j is an address: %p', (text, is) => {
	expect(isEmailAddress(text)).toBe(is);
});
