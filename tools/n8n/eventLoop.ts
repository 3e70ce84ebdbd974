import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import getPort from 'get-port';

import type { StartOptions } from './process';

/** Names the port on which n8n's process tells of its event loop. */
const PORT_VARIABLE = 'EVENT_LOOP_PORT';

/** What n8n's process says of its event loop. */
export interface EventLoopReport {
	/** The longest time that nothing else could run, in milliseconds. */
	longestBlockMs: number;
	/** What lives on the heap after a collection of garbage. */
	usedHeapBytes: number;
}

/** Watches the event loop of an n8n, which has to be started with `startOptions`. */
export class EventLoop {
	private readonly http: AxiosInstance;

	private constructor(private readonly port: number) {
		this.http = axios.create({ baseURL: `http://127.0.0.1:${port}`, proxy: false });
	}

	/** Chooses a port. */
	static async prepare(): Promise<EventLoop> {
		return new EventLoop(await getPort());
	}

	/** How n8n is started, so that its event loop is watched. */
	get startOptions(): Required<Pick<StartOptions, 'env' | 'nodeFlags'>> {
		return {
			env: { [PORT_VARIABLE]: String(this.port) },
			nodeFlags: ['--expose-gc', '--import', join(__dirname, 'eventLoopPreload.mts')],
		};
	}

	/** The longest time since this was asked last that n8n could do nothing else, in milliseconds. */
	async longestBlockMs(): Promise<number> {
		return (await this.http.get<EventLoopReport>('/')).data.longestBlockMs;
	}

	/** What lives on n8n's heap, in bytes. */
	async usedHeapBytes(): Promise<number> {
		return (await this.http.get<EventLoopReport>('/')).data.usedHeapBytes;
	}
}
