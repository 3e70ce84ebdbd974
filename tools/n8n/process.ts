import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import axios from 'axios';

import { HOST, NODE } from './host';
import { poll } from './poll';

/** Keeps n8n quiet and off the network. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** Settings of npm, Jest (n8n does not start with its NODE_ENV) and the user's own n8n. */
const FOREIGN =
	/^(npm_|JEST_|NODE_ENV$|NODE_OPTIONS$|N8N_|DB_|EXECUTIONS_|QUEUE_|NODES_|WEBHOOK_|GENERIC_)/;

/** Without --legacy-peer-deps, npm asks the registry for the peers that it then omits. */
const NPM_FLAGS = [
	'--omit=peer',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

/** How to start an n8n. */
export interface StartOptions {
	/** The packed package; not needed when `home` has it already. */
	tarball?: string;
	/** More environment variables for n8n. */
	env?: Record<string, string>;
	/** A user folder to use and to leave alone; a new temporary one when left out. */
	home?: string;
	/** A free port is found when left out. */
	port?: number;
}

/** The process of one n8n, its home and its log. */
export class N8nProcess {
	private output = '';

	private keeper: ChildProcess | undefined;

	private ended: Promise<void> = Promise.resolve();

	private constructor(
		private readonly options: StartOptions,
		private readonly port: number,
		/** n8n's user folder, which holds `.n8n`. */
		readonly home: string,
	) {}

	/** Chooses a port and a home. */
	static async prepare(options: StartOptions): Promise<N8nProcess> {
		const home = options.home ?? mkdtempSync(join(tmpdir(), 'partner-payments-n8n-'));
		return new N8nProcess(options, options.port ?? (await freePort()), home);
	}

	/** The address of the editor. */
	get url(): string {
		return `http://localhost:${this.port}`;
	}

	/** The id of n8n's own process, the only child of the one that keeps it. Works on Linux. */
	get pid(): number {
		const keeper = String(this.keeper?.pid);
		return Number(readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').trim());
	}

	/** Everything that n8n has written so far. */
	log(): string {
		return this.output;
	}

	/** Installs the package when one is given, starts n8n, and waits until its REST API answers. */
	async launch(tarball?: string): Promise<void> {
		const nodes = join(this.home, '.n8n/nodes');
		mkdirSync(nodes, { recursive: true });
		const commands = [[NODE, join(HOST, 'node_modules/n8n/bin/n8n'), 'start']];
		if (tarball) commands.unshift(['npm', 'install', '--prefix', nodes, ...NPM_FLAGS, tarball]);

		const keeper = spawn(
			NODE,
			[join(__dirname, 'keeper.mts'), this.home, JSON.stringify(commands)],
			{ cwd: this.home, env: await this.environment(), detached: true },
		);
		if (this.options.home !== undefined) keeper.stdin.write('keep');
		for (const stream of [keeper.stdout, keeper.stderr]) {
			stream.on('data', (chunk) => (this.output += String(chunk)));
		}
		let running = true;
		this.keeper = keeper;
		this.ended = new Promise((resolve) => {
			keeper.on('close', () => {
				running = false;
				resolve();
			});
		});
		await poll('n8n to start', async () => {
			if (!running) throw new Error('n8n ended before it was ready');
			const answer = await axios
				.get<unknown>(`${this.url}/rest/settings`, { proxy: false })
				.catch(() => undefined);
			return typeof answer?.data === 'object' ? true : undefined;
		}).catch((error: unknown) => {
			throw new Error(`${String(error)}\n\nn8n wrote:\n${this.output}`);
		});
	}

	/** Ends n8n and removes its home, unless that is to be kept or was given. */
	async stop(keepHome = this.options.home !== undefined): Promise<void> {
		this.keeper?.stdin?.end(keepHome ? 'keep' : undefined);
		await this.ended;
	}

	/** Ends n8n as a power cut does: at once, with whatever it is doing. Its home is kept. */
	async kill(): Promise<void> {
		this.keeper?.stdin?.end('keep kill');
		await this.ended;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
		return {
			...Object.fromEntries(inherited),
			...QUIET,
			PATH: [dirname(NODE), process.env['PATH']].join(delimiter),
			N8N_USER_FOLDER: this.home,
			N8N_PORT: String(this.port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...this.options.env,
		};
	}
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (typeof address !== 'object' || !address) throw new Error('No free port');
	return address.port;
}
