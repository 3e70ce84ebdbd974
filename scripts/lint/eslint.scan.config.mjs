import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';

/** The rules that n8n checks a package with before it is verified. */
export default await buildScanConfig();
