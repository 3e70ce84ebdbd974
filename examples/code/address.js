/** Refuses settings that have no email address yet, before anything is done that a mail tells of. */
function checkAddresses(settings, names) {
	const missing = names.filter((name) => !/[^\s@]@[^\s@]/.test(settings[name]));
	if (missing.length > 0) {
		throw new Error(`Enter an email address as "${missing.join('" and "')}" in Settings`);
	}
}
