import type { IDataObject } from 'n8n-workflow';

/** The parameter at a path, such as `options.maxAmount`, as n8n finds it. */
export const parameterAt = (parameters: IDataObject, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>(
			(at, key) => (typeof at === 'object' && at !== null ? (at as IDataObject)[key] : undefined),
			parameters,
		);
