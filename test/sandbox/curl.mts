/** In place of curl, for guides that are run on a machine without it: `-s`, `-X`, `-H` and `-d`. */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		silent: { type: 'boolean', short: 's' },
		request: { type: 'string', short: 'X' },
		header: { type: 'string', short: 'H', multiple: true, default: [] },
		data: { type: 'string', short: 'd' },
	},
});

const headers = values.header.map((header): [string, string] => {
	const colon = header.indexOf(':');
	return [header.slice(0, colon), header.slice(colon + 1).trim()];
});

const [url = ''] = positionals;
const { data } = values;
const method = values.request ?? (data === undefined ? 'GET' : 'POST');
const response = await fetch(url, { method, headers, body: data ?? null });
process.stdout.write(await response.text());
