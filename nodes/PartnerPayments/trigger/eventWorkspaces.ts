import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../shared/json';
import { UUID } from '../shared/workspaceId';

const ID_NAMES = new Set(['workspaceid', 'workspaceuuid']);
const WORKSPACE_ID = new RegExp(`^\\s*${UUID}\\s*$`);

/**
 * The workspaces that an event names, on any level: `workspace_id`, `workspaceId`, `workspace.id`, …
 * Lists are left out, since a vendor may list all workspaces that it works for.
 *
 * @returns their IDs as they were sent, the outermost first
 */
export function workspacesIn(event: IDataObject): string[] {
	const found: string[] = [];
	for (let level = [event]; level.length > 0;) {
		const properties = level.flatMap((object) => Object.entries(object));
		found.push(...properties.flatMap(([name, value]) => workspaceId(name, value) ?? []));
		level = properties.map(([, value]) => value).filter(isRecord);
	}
	return found;
}

/** The ID of a workspace, if the property names one. A name that is no ID cannot be compared. */
function workspaceId(name: string, value: unknown): string | undefined {
	const plainName = name.toLowerCase().replace(/[^a-z]/g, '');
	if (ID_NAMES.has(plainName)) return id(value);
	if (plainName !== 'workspace') return undefined;
	if (isRecord(value)) return id(value.uuid) ?? id(value.id);
	return typeof value === 'string' && WORKSPACE_ID.test(value) ? value : undefined;
}

/** Whatever stands in place of an ID is none of this workspace. */
function id(value: unknown): string | undefined {
	if (value === undefined || value === null) return undefined;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return text.trim() === '' ? undefined : text;
}
