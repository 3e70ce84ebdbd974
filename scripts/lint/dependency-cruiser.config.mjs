/**
 * The layers of the code, lowest first. A file may import from its own part and from the parts of the
 * layers below it; parts that share a layer do not import each other. A part is a folder with all that is
 * in it, or one file.
 */
const LAYERS = {
	'nodes/PartnerPayments': [
		['shared'],
		['api/http'],
		['api/auth'],
		['api/responseReaders.ts'],
		['api/client.ts'],
		['api/endpoints.ts', 'ledger'],
		['execution', 'trigger'],
		['resources', 'listSearch'],
		[
			'PartnerPayments.node.ts',
			'PartnerPaymentsDepositTrigger.node.ts',
			'PartnerPaymentsTrigger.node.ts',
		],
	],
	sandbox: [
		['shared'],
		['options.ts'],
		['store'],
		['contract'],
		['network'],
		['domain'],
		['seed'],
		['deliveries'],
		['http'],
		['proxy'],
		['ui'],
		['auth'],
		['documents'],
		['api'],
		['control'],
		['web'],
		['server.ts'],
		['values.ts'],
		['childProcess.ts', 'main.ts'],
		['client.ts', 'package'],
	],
};

/**
 * What each folder at the top may import of the project beside itself. What is published depends on
 * nothing that is not (it uses only the contract's types, which are gone after the build), the sandbox
 * knows the contract and not the connector, and nothing depends on the tests.
 */
const TOP_FOLDERS = {
	nodes: ['contract'],
	credentials: ['nodes/PartnerPayments/api', 'nodes/PartnerPayments/shared'],
	contract: [],
	sandbox: ['contract'],
	tools: ['contract', 'nodes', 'credentials', 'sandbox'],
	scripts: ['contract', 'nodes', 'credentials', 'sandbox', 'tools'],
	test: ['contract', 'nodes', 'credentials', 'sandbox', 'tools'],
};

const within = (path) => `^${path.replaceAll('.', '\\.')}(/|$)`;

/** Forbids what is in a folder or file to import from other paths, save for the exceptions. */
const forbid = (importer, paths, exceptions = []) => ({
	name: `not-for-${importer}`,
	severity: 'error',
	from: { path: within(importer) },
	to: { path: paths.map(within), pathNot: exceptions.map(within) },
});

/** For each part of a folder: it does not import from the layers above, nor from the other parts of its own. */
function betweenLayers(folder) {
	const layers = LAYERS[folder].map((parts) => parts.map((part) => `${folder}/${part}`));
	const rules = [];
	for (const [height, parts] of layers.entries()) {
		const above = layers.slice(height + 1).flat();
		for (const part of parts) {
			const beside = parts.filter((other) => other !== part);
			const forbidden = [...above, ...beside];
			if (forbidden.length > 0) {
				rules.push(forbid(part, forbidden));
			}
		}
	}

	return rules;
}

/** Each file of a folder with layers is in one of them. */
function nothingOutsideLayers(folder) {
	const parts = LAYERS[folder].flat().map((part) => within(`${folder}/${part}`));
	const outside = { path: within(folder), pathNot: parts };
	const name = `in-no-layer-of-${folder}`;
	return [
		{ name, severity: 'error', from: outside, to: {} },
		{ name, severity: 'error', from: {}, to: outside },
	];
}

function betweenTopFolders() {
	const folders = Object.keys(TOP_FOLDERS);
	return folders.map((folder) => {
		const allowed = TOP_FOLDERS[folder];
		const others = folders.filter((other) => other !== folder && !allowed.includes(other));
		return forbid(folder, others, allowed);
	});
}

const foldersWithLayers = Object.keys(LAYERS);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{ name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
		...foldersWithLayers.flatMap(betweenLayers),
		...foldersWithLayers.flatMap(nothingOutsideLayers),
		...betweenTopFolders(),
	],
	options: {
		doNotFollow: { path: ['node_modules', '^dist/'] },
		tsConfig: { fileName: 'tsconfig.dev.json' },
		// Type imports count as well.
		tsPreCompilationDeps: true,
	},
};
