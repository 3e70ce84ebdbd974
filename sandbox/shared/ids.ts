import { randomBytes, randomUUID } from 'node:crypto';

const prefixes = {
	partner: 'prt',
	vendor: 'ven',
	payable: 'pbl',
	funding: 'fnd',
	deposit: 'dep',
	withdrawal: 'wdr',
	mail: 'mail',
	subscription: 'whs',
	event: 'evt',
	delivery: 'dlv',
} as const;

/** A new identifier that tells by its prefix what it names, for example `pbl_4f0c…`. */
export const newId = (kind: keyof typeof prefixes): string =>
	`${prefixes[kind]}_${randomUUID().replaceAll('-', '')}`;

/** A value that cannot be guessed, safe in a URL. */
export const newSecret = (): string => randomBytes(24).toString('base64url');
