import axios from 'axios';

import { poll } from '../../../tools/n8n/poll';
import type { ReceivedMail } from './mail';

/** n8n's status for the link of an execution that does not wait yet. */
const NOT_WAITING = 409;

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
			headers: { 'User-Agent': 'Mozilla/5.0' },
			validateStatus: (code) => { if (code !== 200 && code !== 409) console.log('LINK', code); return true; },
		});

		if (status === 500) console.log('BODY', data);
		return status !== 200 ? undefined : data;
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
