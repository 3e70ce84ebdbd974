import { resolve } from 'node:path';

import { RESULTS_FILE } from './saved';

/** What the command line of a benchmark asks for. */
export interface CommandLine {
	/** Scales everything down; 1 unless told otherwise. */
	scale: number;
	/** Makes what happens by chance the same again; 1 unless told otherwise. */
	seed: number;
	/** The sections to measure; none for all. */
	names: string[];
	/** The file that takes the results; undefined when they are only printed. */
	file: string | undefined;
}

const SAVE = /^--save(?:=(?<file>.+))?$/;

/**
 * Reads a scale, a seed after it, names of sections, and `--save` or `--save=<file>`, in any order.
 *
 * @throws for anything else
 */
export function readCommandLine(args: string[], known: readonly string[]): CommandLine {
	const numbers: number[] = [];
	const names: string[] = [];
	let file: string | undefined;
	for (const arg of args) {
		const save = SAVE.exec(arg);
		if (save !== null) {
			file = resolve(save.groups?.['file'] ?? RESULTS_FILE);
		} else if (known.includes(arg)) {
			names.push(arg);
		} else if (Number(arg) > 0 && numbers.length < 2) {
			numbers.push(Number(arg));
		} else {
			throw new Error(`"${arg}" is no scale, no "--save", and none of ${known.join(', ')}`);
		}
	}

	const [scale = 1, seed = 1] = numbers;
	return { scale, seed, names, file };
}
