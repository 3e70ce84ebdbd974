/**
 * The layers of the code, lowest first. A file may import from its own part and from the parts of the
 * layers below; parts that share a layer do not import each other. A part is a folder with all that is
 * in it, or one file. ESLint (eslint.strict.config.mjs) and dependency-cruiser
 * (.dependency-cruiser.mjs) both enforce these tables.
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
		['ui'],
		['auth'],
		['documents'],
		['api'],
		['control'],
		['web'],
		['proxy'],
		['server.ts'],
		['values.ts'],
		['childProcess.ts', 'main.ts'],
		['client.ts', 'package'],
	],
};

/**
 * What each folder at the top may import of the project beside itself. What is published depends on
 * nothing that is not (of the contract it uses types, which are gone when it is built), the sandbox
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

/** Folders whose files each belong to a layer. */
export const layeredFolders = Object.entries(LAYERS).map(([folder, layers]) => ({
	folder,
	parts: layers.flat().map((part) => `${folder}/${part}`),
}));

/** For each part and each folder at the top: the paths that it must not import, save for the exceptions. */
export const forbiddenImports = [...betweenLayers(), ...betweenTopFolders()];

function betweenLayers() {
	const rules = [];
	for (const [folder, layers] of Object.entries(LAYERS)) {
		for (const [height, parts] of layers.entries()) {
			const above = layers.slice(height + 1).flat();
			for (const part of parts) {
				const beside = parts.filter((other) => other !== part);
				const forbidden = [...above, ...beside].map((other) => `${folder}/${other}`);
				rules.push({
					importer: `${folder}/${part}`,
					forbidden,
					except: [],
					reason: `is not below ${part} (see layers.mjs)`,
				});
			}
		}
	}

	return rules;
}

function betweenTopFolders() {
	return Object.entries(TOP_FOLDERS).map(([folder, allowed]) => ({
		importer: folder,
		forbidden: Object.keys(TOP_FOLDERS).filter(
			(other) => other !== folder && !allowed.includes(other),
		),
		except: allowed,
		reason: `is not for ${folder} (see layers.mjs)`,
	}));
}
