import type { IDataObject } from 'n8n-workflow';

/** What repeating a request means: nothing, the same state again, or a second effect. */
export type Effect = 'reads' | 'setsState' | 'creates';

/** One request to the service. */
export interface Call {
	method: 'GET' | 'POST';
	/** The path under the API's root, with its values filled in. */
	path: string;
	/** What the call does, to follow "could not", for example "create the payable". */
	task: string;
	effect: Effect;
	body?: IDataObject;
}
