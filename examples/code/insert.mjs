/**
 * `node examples/code/insert.mjs` puts the texts of this folder into the Code nodes of the templates, which
 * name them: n8n's templates cannot share code. A test compares them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = import.meta.dirname;
const EXAMPLES = join(FOLDER, '..');

const PART =
	/^\/\/ The same in all templates: examples\/code\/(\w+\.js)\n[^]*?(?=^\/\/ (?:The same in all|This) template)/gm;

const textOf = (name) => readFileSync(join(FOLDER, name), 'utf8');

for (const file of readdirSync(EXAMPLES).filter((name) => name.endsWith('.json'))) {
	const path = join(EXAMPLES, file);
	const workflow = JSON.parse(readFileSync(path, 'utf8'));
	for (const { parameters } of workflow.nodes.filter(
		({ type }) => type === 'n8n-nodes-base.code',
	)) {
		parameters.jsCode = parameters.jsCode.replace(
			PART,
			(_, name) => `// The same in all templates: examples/code/${name}\n${textOf(name)}\n`,
		);
	}

	writeFileSync(path, `${JSON.stringify(workflow, null, '\t')}\n`);
}
