import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Store } from '../store/store';

interface PageProps {
	/** What this page is, for the browser's tab; also its heading unless `heading` says more. */
	title: string;
	heading?: ComponentChildren;
	/** Wide pages hold tables, narrow ones a form. */
	width?: 'narrow' | 'wide';
	/** Whether a part of the page renews itself (see `Live`). */
	live?: boolean;
	nav?: VNode;
	children: ComponentChildren;
}

/** The frame of every page of the sandbox. */
export const Page = (props: PageProps) => {
	const { title, heading = title, width = 'narrow', live = false, nav, children } = props;
	return (
		<html lang="en">
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>{`${title} · Payouts sandbox`}</title>
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/assets/style.css" />
				{live && <script src="/assets/live.js" defer />}
			</head>
			<body>
				<a class="skip" href="#main">
					Skip to the content
				</a>
				<header class="banner">
					<p class="brand">
						<strong>Payouts sandbox</strong> <span>No real money moves here.</span>
					</p>
					{nav}
				</header>
				<main class={width} id="main" tabIndex={-1}>
					<h1>{heading}</h1>
					{children}
				</main>
			</body>
		</html>
	);
};

/**
 * A part of a page that is asked for again and patched in place: focus, and what a person is filling
 * in, stay. It is silent: nothing is announced to screen readers.
 * @param props.url the address of the page it is on, without passing messages
 */
export const Live = ({ url, children }: { url: string; children: ComponentChildren }) => (
	<>
		<noscript>
			<p class="note">Reload this page to see what is new.</p>
		</noscript>
		<div id="live" data-live={url}>
			{children}
		</div>
	</>
);

/** The result of the last action. It gets the focus, so that screen readers read it first. */
export const Notice = ({ children }: { children: ComponentChildren }) =>
	children === undefined || children === false ? null : (
		<p class="notice" role="status" tabIndex={-1} autofocus>
			{children}
		</p>
	);

export const html = (page: VNode): string => `<!doctype html>${renderToString(page)}`;

export const sendPage = async (reply: FastifyReply, page: VNode, status = 200): Promise<void> => {
	await reply.code(status).headers(pageHeaders).send(html(page));
};

/**
 * Sends a page that renews itself; it is made only when something has changed since it was sent.
 * @param moment tells pages apart that change with time alone
 */
export async function sendLivePage(
	request: FastifyRequest,
	reply: FastifyReply,
	store: Store,
	render: () => VNode,
	moment = 0,
): Promise<void> {
	const etag = `"${store.version}-${moment}"`;
	void reply.headers({ ...pageHeaders, 'cache-control': 'no-cache, private', etag });
	if (request.headers['if-none-match'] === etag) {
		await reply.code(304).send();
	} else {
		await reply.send(html(render()));
	}
}

/**
 * Nothing on a page may come from anywhere else, nor be framed. Addresses of pages stay on this host,
 * and a form's Origin header tells the truth only under such a policy.
 */
export const pageHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
	'referrer-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
};
