import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate that only this sandbox has, for as long as it runs. */
export interface Certificate {
	key: string;
	cert: string;
	/** Where clients find the certificate, to trust it. */
	file: string;
	/** Removes the file. */
	remove: () => void;
}

const OWN_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Makes a certificate for this machine and for further names, which it signs itself. */
export async function makeCertificate(names: string[]): Promise<Certificate> {
	const hosts = names.map((name) => name.replace(/^\[|\]$/g, ''));
	// Loaded only here: it takes longer than all the rest of a start.
	const { generate } = await import('selfsigned');
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'subjectAltName', altNames: [...OWN_NAMES, ...hosts].map(altName) },
		],
	});

	const folder = mkdtempSync(join(tmpdir(), 'partner-payments-sandbox-'));
	const file = join(folder, 'certificate.pem');
	writeFileSync(file, cert);
	return {
		key,
		cert,
		file,
		remove: () => {
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const altName = (host: string) =>
	isIP(host) === 0 ? { type: 2 as const, value: host } : { type: 7 as const, ip: host };
