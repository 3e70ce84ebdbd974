import { appendFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import axios from 'axios';
import getPort, { portNumbers } from 'get-port';

import { SupervisedProcess } from '../processes/supervised';
import { dialectOf } from './dialects';
import { type Host, NEWEST_HOST } from './hosts';
import { inheritedVariables } from './inheritedVariables';
import { NODE } from './paths';
import { poll } from './poll';

/**
 * Settings that keep n8n from asking its vendor's servers and from showing notices, and from answering 503
 * while its database takes long on a busy machine.
 */
const QUIET = {
	DB_PING_TIMEOUT_MS: '60000',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** What is started here can be reached from this machine only. */
const LOOPBACK = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
};

/** Without --legacy-peer-deps, npm asks the registry for the peers that it then omits. */
const NPM_FLAGS = [
	'--omit=peer',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

/**
 * The commands of n8n: everything, or one part of queue mode. Each has the path that tells when it is
 * ready.
 */
const READINESS_PATHS = {
	start: '/rest/settings',
	worker: '/healthz/readiness',
	webhook: '/healthz/readiness',
};

/** How to start an n8n. */
export interface StartOptions {
	/** Where n8n is installed; the newest that is supported when left out. */
	host?: Host;
	/** n8n's command; `start` when left out. */
	command?: keyof typeof READINESS_PATHS;
	/** The packed package; not needed when `home` has it already. */
	tarball?: string;
	/** More environment variables for n8n. */
	env?: Record<string, string>;
	/** Whether n8n inherits the variables with which the user makes an n8n stricter; not by default. */
	keepsHardening?: boolean;
	/** A user folder that is used and kept; a new temporary one when left out. */
	home?: string;
	/** A free port is found when left out. */
	port?: number;
	/** Flags of Node.js for n8n's process, such as `--inspect`. */
	nodeFlags?: string[];
	/** A file that takes what n8n writes, for other processes to read. */
	logFile?: string;
}

/** Names the file that gets a line for every start of an n8n, so that a test run can count them. */
export const STARTS_VARIABLE = 'N8N_STARTS_FILE';

/** A port below those of outgoing connections, of which one could take it before n8n has started. */
const freePort = async (): Promise<number> =>
	await getPort({ port: portNumbers(20_000 + Math.floor(Math.random() * 10_000), 32_000) });

/** The process of one n8n, its home and its log. */
export class N8nProcess {
	private supervised: SupervisedProcess | undefined;

	/** What n8n wrote before it was started again. */
	private earlierLog = '';

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

	/** Where n8n is installed. */
	get host(): Host {
		return this.options.host ?? NEWEST_HOST;
	}

	/** The address of what n8n serves: of the editor, unless n8n was started by another command. */
	get url(): string {
		return `http://localhost:${this.port}`;
	}

	/** Everything that n8n has written so far. */
	log(): string {
		if (this.supervised === undefined && this.options.logFile !== undefined) {
			return readFileSync(this.options.logFile, 'utf8');
		}

		return this.earlierLog + (this.supervised?.log ?? '');
	}

	/** Installs the package when one is given, starts n8n, and waits until it is ready. */
	async launch(tarball?: string): Promise<void> {
		const { command = 'start', nodeFlags = [], home } = this.options;
		const nodes = join(this.home, '.n8n/nodes');
		mkdirSync(nodes, { recursive: true });

		const commands = [
			[NODE, ...nodeFlags, join(this.host.folder, 'node_modules/n8n/bin/n8n'), command],
		];
		if (tarball) {
			commands.unshift(['npm', 'install', '--prefix', nodes, ...NPM_FLAGS, tarball]);
		}

		const supervised = new SupervisedProcess({
			folder: this.home,
			keepFolder: home !== undefined,
			commands,
			env: await this.environment(),
			logFile: this.options.logFile,
		});

		const startsFile = process.env[STARTS_VARIABLE];
		if (startsFile !== undefined) {
			appendFileSync(startsFile, `${command}\n`);
		}

		this.earlierLog = this.log();
		this.supervised = supervised;

		try {
			await this.untilReady(supervised, command);
		} catch (error) {
			throw new Error(`${String(error)}\n\nn8n wrote:\n${this.log()}`);
		}
	}

	private async untilReady(
		supervised: SupervisedProcess,
		command: keyof typeof READINESS_PATHS,
	): Promise<void> {
		const address = `${this.url}${READINESS_PATHS[command]}`;
		await poll('n8n to start', async () => {
			if (!supervised.isRunning) {
				throw new Error('n8n ended before it was ready');
			}

			const answer = await axios.get<unknown>(address, { proxy: false }).catch(() => undefined);

			return typeof answer?.data === 'object' ? true : undefined;
		});
	}

	/** Ends n8n and removes its home, unless that is to be kept or was given. */
	async stop(keepHome = this.options.home !== undefined): Promise<void> {
		await this.supervised?.stop(keepHome);
	}

	/** Kills n8n at once, without letting it end what it is doing. Its home is kept. */
	async kill(): Promise<void> {
		await this.supervised?.kill();
	}

	/** Sends a signal to n8n's own process, such as SIGSTOP. */
	signal(signal: NodeJS.Signals): void {
		process.kill(this.pid, signal);
	}

	/** The id of n8n's own process. */
	get pid(): number {
		if (this.supervised === undefined) {
			throw new Error('n8n is not started');
		}

		return this.supervised.pid;
	}

	private async environment(): Promise<NodeJS.ProcessEnv> {
		return {
			...QUIET,
			...inheritedVariables(this.options.keepsHardening === true),
			...LOOPBACK,
			...dialectOf(this.host).environment,
			PATH: [dirname(NODE), process.env['PATH']].join(delimiter),
			N8N_USER_FOLDER: this.home,
			N8N_PORT: String(this.port),
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: String(this.port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...this.options.env,
		};
	}
}
