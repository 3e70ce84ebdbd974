const { readFile, writeFile } = require('node:fs/promises');
const { src, dest, series } = require('gulp');

const CODEX = 'dist/nodes/PartnerPayments/PartnerPayments.node.json';
const RESOURCES = './dist/nodes/PartnerPayments/resources/index.js';

/** Copies what the compiler leaves behind: icons, codex files and output schemas. */
const copyFiles = () => src(['icons/*.svg', 'nodes/**/*.json'], { base: '.' }).pipe(dest('dist'));

/** Adds the words of each action to the synonyms of the node: n8n searches it by its aliases alone. */
async function addActionsToAliases() {
	const { resources } = require(RESOURCES);
	const operations = resources.flatMap((resource) => resource.operations);
	const actions = operations.map(({ action }) => action.toLowerCase());

	const codex = JSON.parse(await readFile(CODEX, 'utf8'));
	codex.alias.push(...actions);

	await writeFile(CODEX, JSON.stringify(codex, undefined, '\t'));
}

exports.default = series(copyFiles, addActionsToAliases);
