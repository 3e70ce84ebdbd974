import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { NODE, ROOT } from '../n8n/paths';
import type { Order, Report, Task, WorkerSettings } from './messages';

/** How a task has ended. `at`: in milliseconds since 1970. */
export type Result = { kind: 'ended'; items: IDataObject[]; at: number } | { kind: 'died' };

/** Where a process is: none before its first task, and after each death. */
type Process = { kind: 'none' } | { kind: 'running'; child: ChildProcess };

/** One process that does tasks, and another one in its place after each death. */
export class Worker {
	private process: Process = { kind: 'none' };
	private readonly tasks = new Map<string, (result: Result) => void>();
	private onFlushed = (): void => undefined;

	/** @param onFault is told of each fault by its name, and of each death */
	constructor(
		private readonly script: string,
		private readonly settings: WorkerSettings,
		private readonly onFault: (name: string) => void,
	) {}

	async perform(task: Task): Promise<Result> {
		return await new Promise<Result>((resolve) => {
			this.tasks.set(task.id, resolve);
			this.send({ kind: 'task', task });
		});
	}

	/** Does now what was to be done late. */
	async flush(): Promise<void> {
		if (this.process.kind === 'none') {
			return;
		}

		await new Promise<void>((resolve) => {
			this.onFlushed = resolve;
			this.send({ kind: 'flush' });
		});
	}

	/** Kills it, whatever it does. */
	kill(): void {
		if (this.process.kind === 'running') {
			this.process.child.kill('SIGKILL');
		}
	}

	private send(order: Order): void {
		if (this.process.kind === 'none') {
			this.process = { kind: 'running', child: this.start() };
		}

		this.process.child.send(order);
	}

	private start(): ChildProcess {
		const child = spawn(NODE, ['--no-warnings', this.script, JSON.stringify(this.settings)], {
			stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
			env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
		});
		child.on('message', (report: Report) => {
			this.receive(report);
		});
		// What is sent to a process that has just been killed is lost with it.
		child.on('error', () => undefined);
		child.once('close', () => {
			this.end();
		});
		return child;
	}

	private receive(report: Report): void {
		switch (report.kind) {
			case 'ended': {
				const { taskId, items, at } = report;
				this.endTask(taskId, { kind: 'ended', items, at });
				return;
			}
			case 'fault':
				this.onFault(report.name);
				return;
			case 'flushed':
				this.onFlushed();
				return;
			case 'ready':
		}
	}

	private end(): void {
		this.process = { kind: 'none' };
		this.onFault('process killed');
		for (const taskId of [...this.tasks.keys()]) {
			this.endTask(taskId, { kind: 'died' });
		}

		this.onFlushed();
	}

	private endTask(taskId: string, result: Result): void {
		const resolve = this.tasks.get(taskId);
		this.tasks.delete(taskId);
		resolve?.(result);
	}
}
