import type { IExecuteFunctions } from 'n8n-workflow';

import { ItemParameters } from '../../nodes/PartnerPayments/execution/itemParameters';
import { connectN8n } from '../../nodes/PartnerPayments/ledger/dataTable/n8nApi';
import { redactor } from '../../nodes/PartnerPayments/api/http/redact';
import { serviceMessage } from '../../nodes/PartnerPayments/api/http/serviceMessage';
import { baseUrl } from '../../nodes/PartnerPayments/api/http/url';
import { toUtcTimestamp } from '../../nodes/PartnerPayments/shared/dates';
import { toMinorUnits } from '../../nodes/PartnerPayments/shared/money';
import { isEmailAddress, readReference } from '../../nodes/PartnerPayments/shared/values';
import { thrownBy } from './support';

/** In characters: 10 kB, 100 kB and 1 MB. */
const SIZES = [10_000, 100_000, 1_000_000];

/** Of processor time for each. What tries everything takes hours for a megabyte. */
const MOST_MS = 2_000;

const filled = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));
const messageOf = (call: () => unknown): unknown => (thrownBy(call) as Error).message;

/** For each regular expression that reads what others wrote: a text that makes it try everything. */
const HOSTILE: Array<
	[what: string, write: (size: number) => string, read: (text: string) => unknown, result: unknown]
> = [
	['e-mail address', (size) => `a@${filled('.', size)}@`, isEmailAddress, false],
	['e-mail address of labels', (size) => `a@${filled('a.', size)}@`, isEmailAddress, false],
	['HTML title', (size) => filled('<title', size), serviceMessage, undefined],
	['HTML title without a text', (size) => filled('<title>', size), serviceMessage, undefined],
	['HTML title without an end', (size) => `<h1>${filled('x', size)}`, serviceMessage, undefined],
	['blank message', (size) => filled('. ', size), serviceMessage, expect.any(String)],
	['token', (size) => `${filled('eyJ', size)}.a`, redactor({}), expect.stringMatching(/^eyJ/)],
	['bearer', (size) => filled('Bearer ', size), redactor({}), expect.stringMatching(/^Bearer/)],
	[
		'slashes of an address',
		(size) => `https://api.example.com${filled('/', size)}v1`,
		(text) => baseUrl(text, 'API Base URL').length,
		expect.any(Number),
	],
	[
		'slashes of a ledger',
		(size) => `https://n8n.example.com${filled('/', size)}v1`,
		(text) => connectN8n(jest.fn(), { baseUrl: text, apiKey: 'key' }),
		expect.any(Object),
	],
	[
		'zeros of an amount',
		(size) => `0.${filled('0', size)}1`,
		(text) => messageOf(() => toMinorUnits(text, 'major')),
		expect.stringContaining('not a plain number'),
	],
	[
		'accents of a reference',
		(size) => `e${filled('\u0301\u0316', size)}`,
		(text) => messageOf(() => readReference(text, 'Unique Reference')),
		expect.stringContaining('500 characters'),
	],
	[
		'date',
		(size) => `2026-${filled('01-', size)}`,
		(text) => messageOf(() => toUtcTimestamp(text, 'UTC', 'Due Date')),
		expect.stringContaining('not a date'),
	],
	[
		'name of an additional field',
		(size) => JSON.stringify({ [filled('A_', size)]: 1 }),
		(text) => {
			const n8n = { getNodeParameter: () => text } as unknown as IExecuteFunctions;
			const item = new ItemParameters(n8n, 0, { type: '', parameters: {} });
			return Object.keys(item.additionalFields('amount')).length;
		},
		1,
	],
];

test.each(HOSTILE)('a text of a megabyte holds nothing up: %s', (_, write, read, result) => {
	for (const size of SIZES) {
		const text = write(size);
		const before = process.cpuUsage();
		const found = read(text);
		const { user } = process.cpuUsage(before);
		expect(found).toEqual(result);
		expect(user / 1000).toBeLessThan(MOST_MS);
	}
});
