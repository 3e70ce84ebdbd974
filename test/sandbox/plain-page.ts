/** What is filled in on the form of a sign-up. */
export const ANSWERS = {
	name: 'Nina Novak Films',
	account: '98761234567',
	routing: '110000000',
	taxId: '4321',
};

/** What is filled in on the form of a sign-up, by the labels of its fields. */
export const signUpFields = (answers = ANSWERS): Record<string, string> => ({
	'Legal or business name': answers.name,
	'Account number': answers.account,
	'Routing number': answers.routing,
	'Tax ID, last four digits': answers.taxId,
});

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" };
const decoded = (text: string): string =>
	text.replace(/&(lt|gt|amp|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);

/** What a person reads: the elements of a line run on, all others stand apart. */
const textOf = (html: string): string =>
	decoded(html.replace(/<\/?(a|bdi|code|span|strong|time)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' '))
		.replace(/\s+/g, ' ')
		.trim();

const elements = (html: string, name: string, withAttribute = '') =>
	[
		...html.matchAll(
			new RegExp(`<${name}\\b([^>]*${withAttribute}[^>]*)>([\\s\\S]*?)</${name}>`, 'g'),
		),
	].map(([whole, attributes = '', content = '']) => ({ whole, attributes, text: textOf(content) }));

const attribute = (tag: string, name: string): string =>
	decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

/** The tags of what a form sends. */
const controls = (html: string): string[] => html.match(/<(input|select|textarea)\b[^>]*>/g) ?? [];

/** What a form sends when nothing is filled in. */
function initialValues(form: string): URLSearchParams {
	const values = new URLSearchParams();
	for (const tag of controls(form)) {
		const name = attribute(tag, 'name');
		if (tag.startsWith('<select')) values.set(name, chosen(form, tag));
		else if (!/type="(radio|checkbox)"/.test(tag) || / checked\b/.test(tag)) {
			values.set(name, attribute(tag, 'value'));
		}
	}
	return values;
}

const chosen = (html: string, select: string): string =>
	attribute(
		elements(html.slice(html.indexOf(select)), 'option', ' selected')[0]?.attributes ?? '',
		'value',
	);

/**
 * A page as plain HTTP brings it, used as by a browser without scripts: a form is sent as the HTML has
 * it, to where it says, with what stands in it, and redirects are followed.
 */
export class PlainPage {
	private constructor(
		readonly url: string,
		readonly status: number,
		readonly html: string,
	) {}

	static async open(url: string, init?: RequestInit): Promise<PlainPage> {
		const response = await fetch(url, init);
		return new PlainPage(response.url, response.status, await response.text());
	}

	/** The text of the first such element, empty when there is none. */
	textOf(name: string, withAttribute = ''): string {
		return elements(this.html, name, withAttribute)[0]?.text ?? '';
	}

	get heading(): string {
		return this.textOf('h1');
	}

	/** What a person reads on it. */
	get text(): string {
		return this.textOf('main');
	}

	/** What it says of the last action, which takes the focus; empty when it says nothing. */
	get notice(): string {
		return this.textOf('p', 'role="status"[^>]*autofocus');
	}

	/** The address from which a part of the page renews itself. */
	get renewedFrom(): string {
		const [tag = ''] = /<div id="live"[^>]*hx-trigger="every [^>]*>/.exec(this.html) ?? [];
		return new URL(attribute(tag, 'hx-get'), this.url).href;
	}

	/** The rows of the tables, or of the one with this caption, without those that name the columns. */
	rows(caption = ''): string[] {
		return elements(this.html, 'table')
			.filter(({ whole }) => elements(whole, 'caption')[0]?.text.startsWith(caption))
			.flatMap(({ whole }) => elements(whole, 'tr').slice(1))
			.map(({ text }) => text);
	}

	/** The first row of a table in which this text stands, empty when there is none. */
	row(text: string): string {
		return this.rows().find((row) => row.includes(text)) ?? '';
	}

	/** Where the link of this name leads. */
	link(name: string): string {
		const link = elements(this.html, 'a').find(({ text }) => text === name);
		if (link === undefined) throw this.#lacks(`link "${name}"`);
		return new URL(attribute(link.attributes, 'href'), this.url).href;
	}

	async follow(name: string): Promise<PlainPage> {
		return await PlainPage.open(this.link(name));
	}

	/** Sends the form of this button, with what is filled in by the labels of its fields. */
	async press(button: string, filled: Record<string, string> = {}): Promise<PlainPage> {
		const form = elements(this.html, 'form').find(({ whole }) =>
			elements(whole, 'button').some(({ text }) => text === button),
		);
		if (form === undefined) throw this.#lacks(`button "${button}"`);
		const values = initialValues(form.whole);
		for (const [label, value] of Object.entries(filled)) {
			const name = attribute(this.#control(label), 'name');
			if (!form.whole.includes(` name="${name}"`)) throw this.#lacks(`"${label}" in its form`);
			values.set(name, value);
		}
		const target = new URL(attribute(form.attributes, 'action') || this.url, this.url);
		if (attribute(form.attributes, 'method') === 'post') {
			return await PlainPage.open(target.href, { method: 'POST', body: values });
		}
		target.search = values.toString();
		return await PlainPage.open(target.href);
	}

	/** What stands in a field, or is chosen in it. */
	valueOf(label: string): string {
		return initialValues(this.html).get(attribute(this.#control(label), 'name')) ?? '';
	}

	/** What a field and the summary, which leads to it, both say is wrong; empty when nothing is. */
	errorAt(label: string): string {
		const tag = this.#control(label);
		const id = attribute(tag, 'id');
		const summary = elements(this.html, 'div', 'role="alert"[^>]*autofocus')[0]?.whole ?? '';
		const [said] = elements(summary, 'a', `href="#${id}"`);
		const [described = ''] = attribute(tag, 'aria-describedby').split(' ');
		const atField = this.textOf('p', `id="${described}"`);
		const isMarked =
			attribute(tag, 'aria-invalid') === 'true' && /^Error: /.test(this.textOf('title'));
		return isMarked && said !== undefined && atField === `Error: ${said.text}` ? said.text : '';
	}

	/** The tag of the control that this label belongs to. */
	#control(label: string): string {
		const [found] = elements(this.html, 'label').filter(({ text }) => text === label);
		const id = attribute(found?.attributes ?? '', 'for');
		const tag = controls(this.html).find((each) => attribute(each, 'id') === id);
		if (found === undefined || tag === undefined) throw this.#lacks(`field "${label}"`);
		return tag;
	}

	#lacks(what: string): Error {
		return new Error(`There is no ${what} on ${this.url}: ${this.text}`);
	}
}

/** Opens an invite link and enters an address. */
export const enter = async (inviteUrl: string, email: string): Promise<PlainPage> =>
	await (await PlainPage.open(inviteUrl)).press('Continue', { 'E-mail address': email });

/** Fills in the form of a sign-up and sends it. */
export const signUp = async (page: PlainPage): Promise<PlainPage> =>
	await page.press('Sign and finish', signUpFields());
