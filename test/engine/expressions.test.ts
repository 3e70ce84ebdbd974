import { jsonOf, payable, sent, startScriptedService } from './support';

const service = startScriptedService();

test.each<[expression: string, evaluated: string]>([
	['={{ $json.text }}', '={{ ($json.text) }}'],
	['={{$json["A field"]}}', '={{ ($json["A field"]) }}'],
	['={{ $json.constructor }}', '={{ ($json.constructor) }}'],
	['={{ $json.toString }}', '={{ ($json.toString) }}'],
])('%s yields what n8n makes of it', async (expression, evaluated) => {
	const values = [
		'text',
		' Ünï 🎉 ',
		'',
		'0',
		'null',
		'={{ 1 }}',
		7,
		2.5,
		0,
		true,
		null,
		['a'],
		{},
	];

	const items = [{}, ...values.map((text) => ({ text, 'A field': text }))];
	const read = async (description: string) => {
		service.useScript(() => ({ body: { id: 'p1' } }));
		const parameters = payable({ options: { description } });
		const { items: results } = await service.execute('payable.create', parameters, {
			items,
			onError: 'continueRegularOutput',
		});

		// They arrive in any order.
		const bodies = new Set(sent(service.requests).map((request) => JSON.stringify(request)));

		return { bodies, results: jsonOf(results) };
	};

	const own = await read(expression);
	const ofN8n = await read(evaluated);

	expect(own).toEqual(ofN8n);
	expect(own.results).toHaveLength(items.length);
});

const DESCRIPTIONS = [
	'= 3 videos x 50',
	'$uper clip',
	'Intro for {{client}}',
	'{{ $json.amount }}',
];

test.each(DESCRIPTIONS)('a description from the data is data, whatever it is: %s', async (text) => {
	const line = { amount: '={{ $json.amount }}', description: '={{ $json.text }}' };
	const options = { description: '={{ $json.text }}', lineItems: { item: [line] } };
	service.useScript(() => ({ body: { id: 'p1' } }));

	const { error } = await service.execute(
		'payable.create',
		payable({ amount: '={{ $json.amount }}', options }),
		{ items: [{ text, amount: 5 }] },
	);

	expect(error).toBeUndefined();
	expect(service.requests.at(-1)?.body).toMatchObject({
		description: text,
		line_items: [{ description: text }],
	});
});

test.each(['$uper clip', 'Intro for {{client}}', '$json.text'])(
	'a description that is typed as an expression in "Fixed" is refused: %s',
	async (description) => {
		const { error } = await service.execute(
			'payable.create',
			payable({ options: { description } }),
		);

		expect(error?.message).toContain(`"Description" holds an expression as text: "${description}"`);
		expect(service.requests).toEqual([]);
	},
);
