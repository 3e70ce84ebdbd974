import { readExample } from '../../../tools/examples';

/** The parameters of an example's Settings node, with these values in place of its own. */
export function settingsOf(
	example: string,
	values: Record<string, unknown>,
): Record<string, object> {
	const node = readExample(example).nodes.find(({ name }) => name === 'Settings');
	const { mode, jsonOutput } = node?.parameters ?? {};
	if (mode === 'raw') {
		const own = JSON.parse(String(jsonOutput)) as object;

		return { Settings: { jsonOutput: JSON.stringify({ ...own, ...values }) } };
	}

	const { assignments } = node?.parameters['assignments'] as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	const changed = assignments.map((one) => ({ ...one, value: values[one.name] ?? one.value }));

	return { Settings: { assignments: { assignments: changed } } };
}
