import { join } from 'node:path';
import axios, { type AxiosInstance } from 'axios';
import getPort from 'get-port';

import type { StartOptions } from './process';

/** Names the port on which n8n's process reports its heap. */
const PORT_VARIABLE = 'HEAP_PORT';

/** Measures the heap of an n8n, which has to be started with `startOptions`. */
export class Heap {
	private readonly http: AxiosInstance;

	private constructor(private readonly port: number) {
		this.http = axios.create({ baseURL: `http://127.0.0.1:${port}`, proxy: false });
	}

	/** Chooses a port. */
	static async prepare(): Promise<Heap> {
		return new Heap(await getPort());
	}

	/** How n8n is started, so that its heap can be measured. */
	get startOptions(): Required<Pick<StartOptions, 'env' | 'nodeFlags'>> {
		return {
			env: { [PORT_VARIABLE]: String(this.port) },
			nodeFlags: ['--expose-gc', '--import', join(__dirname, 'heapPreload.mts')],
		};
	}

	/** What lives on the heap after a collection of garbage, in bytes. */
	async usedBytes(): Promise<number> {
		return (await this.http.get<{ usedBytes: number }>('/')).data.usedBytes;
	}
}
