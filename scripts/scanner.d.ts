declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	import type { Linter } from 'eslint';

	/** The files of a source tree that n8n checks. */
	export const SOURCE_FILE_PATTERNS: string[];

	/** The rules that n8n checks packages with. */
	export function buildScanConfig(): Promise<Linter.Config[]>;
}
