import { join } from 'node:path';

import type { Workflow } from './n8n';
import { ROOT } from './n8n/paths';

/** The path of an example's file. */
export const examplePath = (name: string): string => join(ROOT, 'examples', name);

/** Fills in what the note of an example asks for: the workspace, and the vendor's e-mail address. */
export function fillIn(workflow: Workflow, workspaceId: string, vendorEmail: string): Workflow {
	const text = JSON.stringify(workflow)
		.replaceAll('"mode":"id","value":""', `"mode":"id","value":"${workspaceId}"`)
		.replaceAll('vendor@example.com', vendorEmail);
	return JSON.parse(text) as Workflow;
}
