import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import axios from 'axios';
import getPort from 'get-port';

import { HOST, NODE } from './paths';
import { poll } from './poll';

/** Settings that keep n8n from asking its vendor's servers and from showing notices. */
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

/** Variables n8n must not inherit: of npm, Jest (n8n does not start with its NODE_ENV) and the user's own n8n. */
const NOT_INHERITED =
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

/** The unit of processor times on Linux, in milliseconds. */
const TICK_MS = 10;

/** How to start an n8n. */
export interface StartOptions {
	/** The packed package; not needed when `home` has it already. */
	tarball?: string;
	/** More environment variables for n8n. */
	env?: Record<string, string>;
	/** A user folder that is used and kept; a new temporary one when left out. */
	home?: string;
	/** A free port is found when left out. */
	port?: number;
	/** Flags of Node.js for n8n's process, such as `--inspect`. */
	nodeFlags?: string[];
}

/** The process of one n8n, its home and its log. */
export class N8nProcess {
	private output = '';

	private supervisor: ChildProcess | undefined;

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
		return new N8nProcess(options, options.port ?? (await getPort()), home);
	}

	/** The address of the editor. */
	get url(): string {
		return `http://localhost:${this.port}`;
	}

	/** The id of n8n's own process, the only child of its supervisor. Works on Linux. */
	private get pid(): number {
		const supervisor = String(this.supervisor?.pid);
		return Number(readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim());
	}

	/** Everything that n8n has written so far. */
	log(): string {
		return this.output;
	}

	/** Installs the package when one is given, starts n8n, and waits until its REST API answers. */
	async launch(tarball?: string): Promise<void> {
		const nodes = join(this.home, '.n8n/nodes');
		mkdirSync(nodes, { recursive: true });
		const { nodeFlags = [] } = this.options;
		const commands = [[NODE, ...nodeFlags, join(HOST, 'node_modules/n8n/bin/n8n'), 'start']];
		if (tarball) commands.unshift(['npm', 'install', '--prefix', nodes, ...NPM_FLAGS, tarball]);

		const supervisor = spawn(
			NODE,
			[join(__dirname, 'supervisor.mts'), this.home, JSON.stringify(commands)],
			{ cwd: this.home, env: await this.environment(), detached: true },
		);
		if (this.options.home !== undefined) supervisor.stdin.write('keep');
		for (const stream of [supervisor.stdout, supervisor.stderr]) {
			stream.on('data', (chunk) => (this.output += String(chunk)));
		}
		let running = true;
		this.supervisor = supervisor;
		this.ended = new Promise((resolve) => {
			supervisor.on('close', () => {
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
		this.supervisor?.stdin?.end(keepHome ? 'keep' : undefined);
		await this.ended;
	}

	/** Kills n8n at once, without letting it end what it is doing. Its home is kept. */
	async kill(): Promise<void> {
		this.supervisor?.stdin?.end('keep kill');
		await this.ended;
	}

	/** The memory that n8n's process holds, in bytes. */
	residentMemory(): number {
		const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
	}

	/** The processor time that n8n's process has used, in milliseconds. */
	processorTimeMs(): number {
		const status = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
		// The name of the program, in brackets, may hold blanks; the times are two of what follows.
		const [user, system] = status
			.slice(status.lastIndexOf(')'))
			.split(' ')
			.slice(12, 14)
			.map(Number);
		return ((user ?? NaN) + (system ?? NaN)) * TICK_MS;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name));
		return {
			...Object.fromEntries(inherited),
			...QUIET,
			PATH: [dirname(NODE), process.env['PATH']].join(delimiter),
			N8N_USER_FOLDER: this.home,
			N8N_PORT: String(this.port),
			N8N_RUNNERS_BROKER_PORT: String(await getPort()),
			...this.options.env,
		};
	}
}
