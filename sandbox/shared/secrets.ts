import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of a client secret. Secrets are random and long, so that a plain digest is enough. */
export const digest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Whether a secret is the one whose digest is kept; nothing matches an undefined one. */
export function matchesDigest(secret: string, digestOfRecord: string | undefined): boolean {
	const expected = Buffer.from(digestOfRecord ?? '', 'hex');
	const given = Buffer.from(digest(secret), 'hex');
	return expected.length === given.length && timingSafeEqual(expected, given);
}
