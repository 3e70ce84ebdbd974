import { codeOf, runCode } from './codeNodes';

const EXAMPLE = 'stripe-charges-to-commissions';
const ANA = { ANA: 'ana@example.com' };

/** What the node that all others come after puts out. */
const period = async (settings: object) =>
	await runCode(codeOf(EXAMPLE, 'Set period'), {
		settings: { month: '2026-10', hold_days: 30, affiliates: ANA, ...settings },
	});

const secondsOf = (time: string): number => Date.parse(time) / 1000;

test('a month is from its first second to that of the next one, in UTC, with its hold', async () => {
	expect(await period({ month: '2026-12', hold_days: 30 })).toEqual([
		{
			start: secondsOf('2026-12-01T00:00:00Z'),
			end: secondsOf('2027-01-01T00:00:00Z'),
			hold_start: secondsOf('2026-12-31T00:00:00Z'),
			hold_end: secondsOf('2027-01-31T00:00:00Z'),
		},
	]);
});

test.each([
	'2026-07-15',
	'2026-09-01',
	'2026',
	202607,
	'202607',
	'09-2026',
	'2026-9',
	'2026-13',
	'2026-00',
	'07/2026',
	'',
	undefined,
	' 2026-10',
	'2026-10\n',
	'٢٠٢٦-١٠',
	'２０２６-１０',
	'2026-W10',
	'2026-10-01T00:00:00.000+00:00',
	new Date('2026-10-01'),
])('%j is no month, so that nothing is read or paid for it', async (month) => {
	await expect(period({ month })).rejects.toThrow('like 2026-10');
});

test.each([
	['no address', { ...ANA, BEN: '' }, '"BEN"'],
	['no text as an address', { ...ANA, BEN: null }, '"BEN"'],
	['the address of the template', { BEN: 'Email address of the vendor' }, '"BEN"'],
	['one name twice', { ...ANA, ' ana': 'other@example.com' }, 'ANA twice'],
])('affiliates with %s are named, and nothing is paid', async (_, affiliates, named) => {
	await expect(period({ affiliates })).rejects.toThrow(named);
});

test('capitals in the list of affiliates make no difference, also not to the reference', async () => {
	const charge = {
		status: 'succeeded',
		captured: true,
		disputed: false,
		currency: 'usd',
		amount_captured: 5000,
		metadata: { affiliate: 'Ana' },
	};
	const settings = { month: '2026-10', hold_days: 30, commission_percent: 10 };
	const code = codeOf(EXAMPLE, 'Work out commissions');
	const nodes = {
		'Set period': await period({}),
		'Get charges': [{ data: [charge] }],
		'Get refunds': [{ data: [] }],
	};

	for (const name of ['ANA', 'ana ', 'Ana']) {
		const affiliates = { [name]: 'ana@example.com' };
		const commissions = await runCode(code, { nodes, settings: { ...settings, affiliates } });

		expect(commissions).toMatchObject([{ amount: '5.00', reference: 'Commission 2026-10 ANA' }]);
	}
});
