import { createHash } from 'node:crypto';

/**
 * A number from 0 up to 1 that looks like chance and is the same for the same seed and names. It
 * depends on what it is for and not on what was drawn before, so that a run with the same seed goes
 * the same way however deliveries overtake one another.
 */
export function chance(seed: number, ...names: (string | number)[]): number {
	const digest = createHash('sha256')
		.update([seed, ...names].join(' '))
		.digest();
	return digest.readUInt32BE(0) / 2 ** 32;
}
