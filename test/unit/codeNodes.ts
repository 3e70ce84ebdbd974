import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';

import { EXAMPLES, readExample } from '../../tools/examples';
import { ROOT } from '../../tools/n8n/paths';

const WORKFLOW_ID = 'made-up-workflow';

/** The execution in which a Code node runs. */
export const EXECUTION_ID = 'made-up-execution';

interface Item {
	json: object;
	binary?: object;
}

/** What a Code node finds when it runs. */
export interface CodeSurroundings {
	input?: object[];
	/** What other nodes have put out, by their names. */
	nodes?: Record<string, object[]>;
	/** The upload in the item of the node Settings. */
	file?: Buffer;
	/** More of what the node Settings puts out. */
	settings?: object;
	/** The hidden field of the form that sent it. */
	form?: string;
}

/** The type of Code nodes. */
export const CODE = 'n8n-nodes-base.code';

/** The Code nodes of all templates. */
export const codeNodes = () =>
	EXAMPLES.flatMap((example) =>
		readExample(example)
			.nodes.filter(({ type }) => type === CODE)
			.map(({ name, parameters }) => ({ example, name, code: String(parameters['jsCode']) })),
	);

/** The text of a Code node of a template. */
export function codeOf(example: string, name: string): string {
	const { nodes } = readExample(`${example}.json`);
	const code = nodes.find((node) => node.name === name)?.parameters['jsCode'];
	if (typeof code !== 'string') {
		throw new Error(`${example} has no Code node "${name}"`);
	}

	return code;
}

/** The text of a file in `examples/code`. */
export const partOf = (name: string): string =>
	readFileSync(join(ROOT, 'examples/code', name), 'utf8');

/** A row of a file, as the templates hand it over. */
export const rowOf = (row: number, more: object = {}) => ({
	row,
	email: `v${row}@example.com`,
	amount: '10.00',
	invoice: `INV-${row}`,
	description: '',
	problem: '',
	reference: `INV-${row}`,
	...more,
});

/** Runs a Code node's own text, in a context as n8n's task runner makes it; returns what it puts out. */
export async function runCode(
	code: string,
	{ input = [{}], nodes = {}, file, form = WORKFLOW_ID, settings = {} }: CodeSurroundings,
): Promise<Array<Record<string, unknown>>> {
	const itemsOf = (jsons: object[]): Item[] => jsons.map((json) => ({ json }));
	const access = (items: Item[], isExecuted: boolean) => ({
		all: () => items,
		first: () => items[0],
		isExecuted,
	});
	const settingsItem: Item = {
		json: { Form: form, maximum_amount: '1000', ...settings },
		binary: { Payouts: {} },
	};
	const nodeOf = (name: string) =>
		name === 'Settings'
			? access([settingsItem], true)
			: access(itemsOf(nodes[name] ?? []), name in nodes);
	const context = createContext({
		Buffer,
		$: nodeOf,
		$input: access(itemsOf(input), true),
		$workflow: { id: WORKFLOW_ID },
		$execution: { id: EXECUTION_ID },
		helpers: { getBinaryDataBuffer: async () => await Promise.resolve(file) },
	});

	const returned: unknown = await runInContext(
		`(async function () {${code}\n}).call(this)`,
		context,
	);

	return (JSON.parse(JSON.stringify(returned)) as Array<{ json: Record<string, unknown> }>).map(
		({ json }) => json,
	);
}

/**
 * What a text with expressions says, as n8n reads it.
 *
 * @param data what the expressions name, such as `$json`
 */
export function textWith(text: string, data: Record<string, unknown>): string {
	const context = createContext({ ...data });

	return text
		.replace(/^=/, '')
		.replace(/\{\{([^]+?)\}\}/g, (_, code: string) => String(runInContext(`(${code})`, context)));
}
