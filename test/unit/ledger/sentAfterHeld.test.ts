import { recordsOf } from './recordsOf';

test.each([
	['unconfirmed', ['unconfirmed']],
	['funded', []],
	['paid', []],
	['not_paid', ['held']],
])(
	'what was held is not listed once it was sent by another row: %s #sent-after-held',
	async (state, expected) => {
		const { records } = await recordsOf([
			{ state: 'held', claim: '' },
			{ state, claim: 'c-2' },
		]);

		const listed = await records.list({ wanted: { kind: 'needsAttention' } }, 9);
		const all = await records.list({}, 9);

		expect(listed.map((row) => row.state)).toEqual(expected);
		expect(all).toHaveLength(2);
	},
);

test('what is held is listed beside another payment that was sent', async () => {
	const { records } = await recordsOf([
		{ state: 'held', claim: '' },
		{ state: 'funded', key: 'another' },
		{ state: 'funded', payee: 'eve@example.com' },
	]);

	const listed = await records.list({ wanted: { kind: 'needsAttention' } }, 9);

	expect(listed.map((row) => row.state)).toEqual(['held']);
});
