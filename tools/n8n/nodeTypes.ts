import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

import type { Host } from './hosts';

/** A type of node with some of its versions: a type may be listed several times. */
export interface NodeType {
	/** With its package, such as `n8n-nodes-base.slack`. */
	name: string;
	version: number | number[];
	/** Whether the editor no longer offers it. */
	hidden?: boolean;
}

/** The packages of nodes that n8n brings. */
const PACKAGES = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain'];

/** The types of nodes that an installed n8n brings, read without starting it. */
export function nodeTypesOf({ folder }: Host): NodeType[] {
	// pnpm puts the dependencies of a package beside it.
	const installed = join(realpathSync(join(folder, 'node_modules/n8n')), '..');
	return PACKAGES.flatMap((name) => {
		const text = readFileSync(join(installed, name, 'dist/types/nodes.json'), 'utf8');
		const types = JSON.parse(text) as NodeType[];
		return types.map((type) => ({ ...type, name: `${name}.${type.name}` }));
	});
}

/** All versions of a type; none when there is no such type. */
export const versionsOf = (types: NodeType[], name: string): number[] =>
	types.filter((type) => type.name === name).flatMap(({ version }) => version);
