import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import * as regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/**
 * A set of n8n-nodes-base, which is written for the older configuration format. Left out are the rules
 * that say of themselves that they hold for n8n's own repository only.
 */
const nodesBase = (set, files) => ({
	files,
	plugins: { 'n8n-nodes-base': n8nNodesBase },
	rules: Object.fromEntries(
		Object.entries(n8nNodesBase.configs[set].rules).filter(([name]) => {
			const { description } = n8nNodesBase.rules[name.replace('n8n-nodes-base/', '')].meta.docs;
			return !description.includes('Only applicable to nodes in the main repository');
		}),
	),
});

const SPREADS = ['SpreadElement', 'JSXSpreadAttribute'];
const LITERALS = ['ObjectExpression', 'ArrayExpression'];

export default defineConfig(
	globalIgnores([
		'dist',
		'node_modules',
		'contract/service.d.ts',
		'tools/n8n/host',
		'tools/n8n/host-first-tables',
		'tools/n8n/host-oldest',
		'test/.mutants',
	]),
	{
		files: ['**/*.ts', '**/*.tsx', '**/*.mts'],
		extends: [tseslint.configs.strictTypeChecked],
		languageOptions: { parserOptions: { project: ['tsconfig.json', 'tsconfig.dev.json'] } },
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			'@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_$' },
			],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			curly: ['error', 'all'],
			'no-nested-ternary': 'error',
			'max-depth': ['error', 3],
			complexity: ['error', 15],
			'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
			'no-restricted-syntax': [
				'error',
				...SPREADS.flatMap((spread) =>
					LITERALS.map((literal) => ({
						selector: `${spread} > ${literal}`,
						message: 'Write out what it spreads.',
					})),
				),
			],
		},
	},
	{
		// Jest's matchers return `any`.
		files: ['test/**/*.{test,suite}.ts', 'test/n8n/support/*.ts'],
		rules: { '@typescript-eslint/no-unsafe-assignment': ['off'] },
	},
	{
		files: ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	{
		// Texts from outside must not hold n8n up: each regular expression takes linear time.
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	nodesBase('nodes', ['nodes/**/*.ts']),
	nodesBase('credentials', ['credentials/**/*.ts']),
	nodesBase('community', ['package.json']),
);
