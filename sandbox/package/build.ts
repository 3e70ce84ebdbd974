import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { builtIn } from '../shared/builtIn';

const root = join(__dirname, '..', '..');
const NAME = 'partner-payments-sandbox';
const OLDEST_NODE = 24;

/** The module of texts, with the texts in it. */
const texts: Plugin = {
	name: 'texts',
	setup: (bundler) => {
		bundler.onLoad({ filter: /shared[\\/]builtIn\.ts$/ }, () => {
			const content = { ...builtIn, command: `npx ${NAME}` };
			return { contents: `export const builtIn = ${JSON.stringify(content)};`, loader: 'js' };
		});
	},
};

/** Lets the bundler see which fonts pdfkit loads: it calls its loader by another name. */
const fonts: Plugin = {
	name: 'fonts',
	setup: (bundler) => {
		bundler.onLoad({ filter: /pdfkit[\\/]js[\\/]pdfkit\.node\.mjs$/ }, ({ path }) => {
			const contents = readFileSync(path, 'utf8').replaceAll("require$1('#", "require('#");
			return { contents, loader: 'js' };
		});
	},
};

/** Builds the package into a folder, which needs nothing but Node.js. */
async function buildPackage(target: string): Promise<void> {
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });

	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: [join('sandbox', 'main.ts')],
		outfile: join(target, 'sandbox.js'),
		bundle: true,
		platform: 'node',
		target: `node${OLDEST_NODE}`,
		format: 'cjs',
		minifySyntax: true,
		minifyWhitespace: true,
		tsconfig: 'tsconfig.dev.json',
		define: { 'import.meta.url': 'importMetaUrl' },
		banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
		legalComments: 'none',
		logLevel: 'error',
		metafile: true,
		plugins: [texts, fonts],
	});

	for (const file of ['bin.js', 'README.md', 'Dockerfile']) {
		cpSync(join(__dirname, file), join(target, file));
	}

	cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
	writeFileSync(join(target, 'THIRD-PARTY-LICENSES.txt'), licensesOf(metafile));
	writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest(), null, '\t')}\n`);
}

/** The parts of the repository's own manifest that the package repeats. */
interface Manifest {
	version: string;
	license: string;
	author: object;
	repository: object;
	bugs: object;
}

function manifest(): object {
	// The repository's own file, which npm has checked.
	const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
	const { version, license, author, repository, bugs } = own;
	return {
		name: NAME,
		version,
		description: 'A payouts service on your machine: pay vendors, without an account or real money',
		license,
		author,
		repository: { ...repository, directory: 'sandbox' },
		bugs,
		bin: { [NAME]: 'bin.js' },
		files: ['bin.js', 'sandbox.js', 'Dockerfile', 'THIRD-PARTY-LICENSES.txt'],
		engines: { node: `>=${OLDEST_NODE}` },
		publishConfig: { access: 'public', provenance: true },
	};
}

/** The licenses of everything that is in the bundle. */
function licensesOf({ inputs }: Metafile): string {
	const folders = new Set<string>();
	for (const input of Object.keys(inputs)) {
		const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
		if (found?.[1] !== undefined) {
			folders.add(found[1]);
		}
	}

	return [...folders].sort().map(licenseOf).join('\n\n----\n\n');
}

function licenseOf(folder: string): string {
	const path = resolve(root, folder);
	const file = join(path, 'package.json');
	const own = existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as {
				name?: string;
				version?: string;
				license?: string;
			})
		: {};

	const texts = readdirSync(path)
		.filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
		.map((name) => readFileSync(join(path, name), 'utf8').trim());

	const head = `${own.name ?? folder} ${own.version ?? ''} (${own.license ?? 'see below'})`;
	return [head, ...texts].join('\n\n');
}

const target = resolve(process.argv[2] ?? join(__dirname, 'dist'));

buildPackage(target)
	.then(() => {
		process.stdout.write(`The package is in ${relative(process.cwd(), target)}\n`);
	})
	.catch((error: unknown) => {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
		process.exitCode = 1;
	});
