import { contract } from './contract-checks';

interface Content {
	schema?: object;
	examples?: Record<string, unknown>;
}

/** Everything in the contract that has a content of JSON, by the path to it. */
function contents(node: unknown, path: string[] = []): [path: string, content: Content][] {
	if (typeof node !== 'object' || node === null) {
		return [];
	}

	return Object.entries(node).flatMap(([name, value]) =>
		name === 'application/json'
			? [[path.join(' '), value as Content] satisfies [string, Content]]
			: contents(value, [...path, name]),
	);
}

const found = contents(contract);

test.each(found)('%s has an example, which the linter checks', (_, { examples = {} }) => {
	expect(Object.keys(examples)).not.toEqual([]);
});

test('there are requests, answers and events', () => {
	const paths = found.map(([path]) => path);

	for (const part of ['requestBody', 'responses 200', 'components responses', 'webhooks']) {
		expect(paths.filter((path) => path.includes(part))).not.toEqual([]);
	}
});
