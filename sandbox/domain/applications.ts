import { unprocessable } from '../shared/errors';
import type { Store } from '../store/store';
import { digest, matchesDigest } from '../shared/secrets';

export interface Application {
	id: string;
	name: string;
	secretDigest: string;
	/** The registered addresses, compared as exact strings. */
	redirectUris: string[];
}

export function registerApplication(
	store: Store,
	application: { id: string; name: string; secret: string; redirectUris: string[] },
): void {
	const { id, name, secret, redirectUris } = application;
	store.insert('applications', { id, name, secret_hash: digest(secret) });

	for (const uri of redirectUris) {
		addRedirectUri(store, id, uri);
	}
}

/**
 * Adds an address to the whitelist; one that is there already changes nothing.
 * @throws HttpError 422 when it is no address, has a fragment, or is neither HTTPS nor on localhost
 */
export function addRedirectUri(store: Store, applicationId: string, uri: string): void {
	const problem = redirectUriProblem(uri);
	if (problem !== undefined) {
		throw unprocessable('invalid_redirect_uri', `The redirect URI ${problem}.`, 'redirectUri');
	}

	store.run(
		'INSERT OR IGNORE INTO redirect_uris (application_id, uri) VALUES ($applicationId, $uri)',
		{ applicationId, uri },
	);
}

function redirectUriProblem(uri: string): string | undefined {
	const url = URL.parse(uri);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		return 'is no web address';
	}

	if (uri.includes('#')) {
		return 'must not have a fragment';
	}

	if (url.protocol === 'http:' && url.hostname !== 'localhost') {
		return 'must use HTTPS, except on localhost';
	}

	return undefined;
}

type ApplicationRow = { id: string; name: string; secret_hash: string };

export function findApplication(store: Store, id: string): Application | undefined {
	const row = store.get<ApplicationRow>('applications', id);
	if (row === undefined) {
		return undefined;
	}

	const redirectUris = store
		.all<{ uri: string }>('SELECT uri FROM redirect_uris WHERE application_id = $id', { id })
		.map(({ uri }) => uri);

	return { id, name: row.name, secretDigest: row.secret_hash, redirectUris };
}

export function authenticateApplication(
	store: Store,
	id: string,
	secret: string,
): Application | undefined {
	const application = findApplication(store, id);
	return matchesDigest(secret, application?.secretDigest) ? application : undefined;
}
