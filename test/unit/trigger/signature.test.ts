import { createHmac } from 'node:crypto';

import { isSigned } from '../../../nodes/PartnerPayments/trigger/signature';

const SECRET = 'whsec_one';
const BODY = Buffer.from('{"id":"event-1"}');

const digest = (secret = SECRET, body = BODY): Buffer =>
	createHmac('sha256', secret).update(body).digest();
const hex = digest().toString('hex');
const base64 = digest().toString('base64');

test.each([
	['hex', hex],
	['hex in capitals', hex.toUpperCase()],
	['base64', base64],
	['base64 without padding', base64.replace(/=+$/, '')],
	['base64url', digest().toString('base64url')],
	['hex with a prefix', `sha256=${hex}`],
	['base64 with a prefix', `sha256=${base64}`],
	['a prefix in capitals', `SHA256=${hex}`],
	['spaces around it', `  ${hex} `],
	['as long as a header may be', hex.padEnd(256)],
])('a signature is accepted as %s #signature-forms', (_, signature) => {
	expect(isSigned(BODY, signature, SECRET)).toBe(true);
});

test.each([
	['missing', undefined],
	['empty', ''],
	['only a prefix', 'sha256='],
	['truncated by one digit', hex.slice(0, -1)],
	['truncated by one byte', hex.slice(0, -2)],
	['one byte too long', `${hex}00`],
	['truncated base64', base64.slice(0, -4)],
	['base64 of one byte more', Buffer.concat([digest(), Buffer.of(0)]).toString('base64')],
	['given twice', `${hex}, ${hex}`],
	['under another prefix', `sha1=${hex}`],
	['before a prefix', `${hex}sha256=`],
	['longer than a header may be', hex.padEnd(257)],
	['behind two prefixes', `sha256=sha256=${hex}`],
	['the secret itself', SECRET],
	['an endless text', hex.repeat(10_000)],
	['no ASCII', 'ü'.repeat(64)],
	['a NUL byte', `\0${hex}`],
])('a signature is refused that is %s #wrong-signature-refused', (_, signature) => {
	expect(isSigned(BODY, signature, SECRET)).toBe(false);
});

test.each(['{"id":"event-2"}', '{"id": "event-1"}', '{"id":"event-1"}\n', ''])(
	'a signature is not valid for another body: %j',
	(other) => {
		expect(isSigned(Buffer.from(other), hex, SECRET)).toBe(false);
	},
);

test('a signature is valid for the bytes of a body, not for its text', () => {
	const binary = Buffer.from([0xff, 0xfe, 0x00]);

	const signed = digest(SECRET, binary).toString('hex');

	expect(isSigned(binary, signed, SECRET)).toBe(true);
	expect(isSigned(Buffer.from(binary.toString('utf8')), signed, SECRET)).toBe(false);
});
