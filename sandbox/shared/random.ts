import { createHash } from 'node:crypto';

/** A number from 0 up to 1, the same for the same seed and names, whatever was drawn before. */
export function chance(seed: number, ...names: (string | number)[]): number {
	const digest = createHash('sha256')
		.update([seed, ...names].join(' '))
		.digest();

	return digest.readUInt32BE(0) / 2 ** 32;
}
