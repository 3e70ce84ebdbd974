/** Variables n8n must not inherit: of npm, Jest (n8n does not start with its NODE_ENV) and the user's own n8n. */
const NOT_INHERITED =
	/^(npm_|JEST_|NODE_ENV$|NODE_OPTIONS$|N8N_|DB_|EXECUTIONS_|QUEUE_|NODES_|WEBHOOK_|GENERIC_)/;

/** What follows `N8N_` in the names of the variables with which people make an n8n stricter. */
const HARDENING_NAMES = [
	'BLOCK_.*',
	'RESTRICT_.*',
	'ENFORCE_.*',
	'SSRF_.*',
	'GIT_NODE_DISABLE_.*',
	'COMPRESSION_NODE_.*',
	'EXPRESSION_ENGINE.*',
	'SECURE_COOKIE',
	'SAMESITE_COOKIE',
	'OAUTH_BROWSER_BINDING',
	'CONTENT_SECURITY_POLICY(_REPORT_ONLY)?',
	'CROSS_ORIGIN_OPENER_POLICY',
	'POSTMESSAGE_ALLOWED_ORIGINS',
	'MFA_.*',
	'PASSWORD_MIN_LENGTH',
	'PUBLIC_API_SWAGGERUI_DISABLED',
	'DISABLE_PUBLIC_CHAT_TRIGGER',
	'PYTHON_ENABLED',
	'PAYLOAD_SIZE_MAX',
	'FORMDATA_FILE_SIZE_MAX',
];

/**
 * Variables with which people make an n8n stricter. Other variables say where their
 * own n8n lives (its database, addresses, license and mail server), which must stay untouched.
 */
const HARDENING = new RegExp(`^(NODES_(EXCLUDE|INCLUDE)|N8N_(${HARDENING_NAMES.join('|')}))$`);

/** The host of a sandbox, which n8n's protection against requests to this machine would forbid. */
const SANDBOX_HOST = 'localhost';

/**
 * What an n8n inherits of this process's environment variables.
 *
 * @param keepsHardening whether it inherits the settings with which the user makes an n8n stricter
 */
export function inheritedVariables(keepsHardening: boolean): Record<string, string | undefined> {
	const inherited = Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !NOT_INHERITED.test(name) || (keepsHardening && HARDENING.test(name)),
		),
	);

	const { N8N_SSRF_ALLOWED_HOSTNAMES: allowed, ...rest } = inherited;
	if (inherited['N8N_SSRF_PROTECTION_ENABLED'] === undefined) {
		return inherited;
	}

	return {
		...rest,
		N8N_SSRF_ALLOWED_HOSTNAMES: [allowed, SANDBOX_HOST].filter(Boolean).join(','),
	};
}
