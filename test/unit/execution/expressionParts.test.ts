import { assertNoTypedExpression } from '../../../nodes/PartnerPayments/execution/expressionParts';
import { InputError } from '../../../nodes/PartnerPayments/shared/errors';
import { thrownBy } from '../support';

describe('an expression that the author of a workflow typed as text', () => {
	test.each([
		'{{ $json.id }}',
		'p1 }}',
		'}}',
		'$json.id',
		'{$json.id}',
		' =p1',
		'$("Invoice").item.json.id',
		'$uper clip',
		'Intro for {{client}}',
	])('is refused by the name of its field: %s', (written) => {
		const error = thrownBy(() => {
			assertNoTypedExpression(written, '"Payable ID"');
		});

		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: `"Payable ID" holds an expression as text: "${written.trim()}"`,
			hint: expect.stringMatching(/"Expression" instead of "Fixed"|second "}}"/),
		});
	});

	test.each([
		['without braces', '=$json.id'],
		['with two equals signs', '== 3 videos x 50'],
		['with braces that the editor has added', '={{ $json.id }}}}'],
		['with braces in braces', '={{ {{ $json.id }} }}'],
	])('is refused also beside what n8n evaluates: %s', (_, written) => {
		const error = thrownBy(() => {
			assertNoTypedExpression(written, '"Payable ID"');
		});

		expect(error).toBeInstanceOf(InputError);
	});
});

test.each<[written: unknown]>([
	['={{ $json.description }}'],
	['={{ "{{" + $json.client }}'],
	['={{ $json.currency }}$amount'],
	['={{ $json.count }} = {{ $json.total }}'],
	['=Invoice {{ $json.nr }}'],
	['Video edit, $50 = half'],
	['p1'],
	[undefined],
	[42],
])('what n8n evaluates, and a text beside it, is no typed expression: %j', (written) => {
	expect(() => {
		assertNoTypedExpression(written, '"Description"');
	}).not.toThrow();
});
