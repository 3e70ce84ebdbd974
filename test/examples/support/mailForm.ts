import axios from 'axios';

import { poll } from '../../../tools/n8n/poll';
import type { ReceivedMail } from './mail';

/** How a browser names itself, and a scanner that looks like one: n8n gives others an empty page. */
const BROWSER =
	'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/** The only link of a mail that asks. */
export function linkOf({ html }: ReceivedMail): string {
	const links = [...String(html).matchAll(/ href="([^"]+)"/g)].map(([, link = '']) => link);
	const [link] = links;

	expect(links).toHaveLength(1);

	return (link ?? '').replaceAll('&amp;', '&');
}

/** Opens the link of a mail, as its reader or a mail scanner does; returns the page. */
export async function openLink(link: string): Promise<string> {
	return await poll('n8n to wait for the answer', async () => {
		const { status, data } = await axios.get<string>(link, {
			proxy: false,
			headers: { 'User-Agent': BROWSER },
			// n8n refuses it while the execution does not wait yet.
			validateStatus: () => true,
		});

		return status === 200 ? data : undefined;
	});
}

/** Sends the form behind a link of a mail, with these values in the fields with these labels. */
export async function sendForm(link: string, answers: Record<string, string>): Promise<void> {
	const page = await openLink(link);
	const form = new FormData();
	for (const [label, answer] of Object.entries(answers)) {
		form.set(fieldOf(page, label), answer);
	}

	await axios.post(link, form, { proxy: false });
}

/** The name of the field with a label in a page of n8n's forms. */
function fieldOf(page: string, label: string): string {
	const before = page.split(`>${label}`, 1).join();
	const after = page.slice(before.length);
	const name = /field-\d+/.exec(after)?.[0];
	if (before === page || name === undefined) {
		throw new Error(`The form has no field "${label}"`);
	}

	return name;
}
