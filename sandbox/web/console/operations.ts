import { readContract } from '../../contract/contract';

/** Every operation of the contract, as it names them, in the order of the contract. */
export const operationIds: string[] = Object.values(readContract().paths ?? {}).flatMap((item) =>
	[item?.get, item?.post, item?.delete].flatMap((operation) => operation?.operationId ?? []),
);

/** The operations to choose from, after one choice that stands for all. */
export const operationOptions = (all: string): [value: string, text: string][] => [
	['', all],
	...operationIds.map((id): [string, string] => [id, id]),
];
