import { codeOf, runCode } from './codeNodes';

const EXAMPLE = 'quickbooks-bills-to-payouts';

/** Reads the answer of QuickBooks about its accounts. */
const read = async (answer: object) =>
	await runCode(codeOf(EXAMPLE, 'Check the bills'), {
		input: [answer],
		settings: { company_id: '1', bank_account_id: '35', approvers: 'U1' },
	});

/** What n8n hands over of an answer that is no success, without the words of its text. */
const answered = (httpCode: string, body: object | null, more: object = {}) => ({
	error: { statusCode: 400, error: JSON.stringify(body), isAxiosError: true },
	details: { message: 'Words of n8n', httpCode, body, ...more },
});

test.each([
	[
		'its own words',
		answered('400', { Fault: { Error: [{ Message: 'Bad', Detail: 'No account' }] } }),
		'Bad: No account (400)',
	],
	[
		'those of its gateway',
		answered('403', { fault: { error: [{ message: 'errorCode=003100', detail: '' }] } }),
		'errorCode=003100 (403)',
	],
	['those of another service', answered('503', {}, { description: 'Down' }), 'Down (503)'],
	[
		'its own words that n8n has in a text',
		answered('400', null, {
			description: `400 - ${JSON.stringify(JSON.stringify({ Fault: { Error: [{ Message: 'Bad' }] } }))}`,
		}),
		'Bad (400)',
	],
	['an error of which n8n has no details', { error: 'It broke', details: null }, 'It broke'],
	['those of n8n', answered('502', null), 'Words of n8n (502)'],
	['an error that is a text', { error: 'Credentials not found' }, 'Credentials not found'],
	['an error with a message', { error: { message: 'It hung up' } }, 'It hung up'],
	['an error without any words', { error: { status: 1 } }, 'no answer'],
	['a fault in an answer', { Fault: { Error: [{ Message: 'Bad' }] } }, 'Bad'],
	['nothing', {}, 'no answer'],
])('an answer of QuickBooks is told with %s', async (_, answer, why) => {
	await expect(read(answer)).rejects.toThrow(new Error(`QuickBooks cannot be read: ${why}`));
});

test.each(['funded', 'paid', 'awaiting_deposit', 'prepared', 'held', 'not_paid', 'void'])(
	'a bill that is open, and %s before, is booked only if the service has its money',
	async (first) => {
		const before = { status: 'duplicate', first_status: first, payable_id: 'p1' };

		const kept = await runCode(codeOf(EXAMPLE, 'Keep what is paid'), { input: [before] });

		expect(kept).toEqual(['funded', 'paid'].includes(first) ? [before] : []);
	},
);
