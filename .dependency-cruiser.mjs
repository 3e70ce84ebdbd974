import { forbiddenImports, layeredFolders } from './layers.mjs';

const within = (path) => `^${path.replaceAll('.', '\\.')}(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{ name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
		...forbiddenImports
			.filter(({ forbidden }) => forbidden.length > 0)
			.map(({ importer, forbidden, except }) => ({
				name: `not-for-${importer}`,
				severity: 'error',
				from: { path: within(importer) },
				to: { path: forbidden.map(within), pathNot: except.map(within) },
			})),
		...layeredFolders.flatMap(({ folder, parts }) => {
			const inNoLayer = { path: within(folder), pathNot: parts.map(within) };
			return [
				{ name: `in-no-layer-of-${folder}`, severity: 'error', from: inNoLayer, to: {} },
				{ name: `in-no-layer-of-${folder}`, severity: 'error', from: {}, to: inNoLayer },
			];
		}),
	],
	options: {
		doNotFollow: { path: ['node_modules', '^dist/'] },
		tsConfig: { fileName: 'tsconfig.dev.json' },
		tsPreCompilationDeps: true,
	},
};
