import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Something to install, and the programs by which this machine is seen to have it. */
export interface Requirement {
	name: string;
	programs: string[];
}

/** The names of what this machine lacks a program of. */
export function findMissing(
	requirements: Requirement[],
	path = process.env['PATH'] ?? '',
): string[] {
	const folders = path.split(delimiter);
	const isThere = (program: string): boolean =>
		folders.some((folder) => existsSync(join(folder, program)));

	return requirements.filter(({ programs }) => !programs.every(isThere)).map(({ name }) => name);
}
