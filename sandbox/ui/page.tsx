import type { FastifyReply } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What every page has. */
interface PageProps {
	/** What this page is, for the browser's tab; also its heading unless `heading` says more. */
	title: string;
	heading?: ComponentChildren;
	/** Wide pages hold tables, narrow ones a form. */
	width?: 'narrow' | 'wide';
	/** Whether a part of the page renews itself (see `Live`). */
	live?: boolean;
	/** Navigation in the header. */
	nav?: VNode;
	children: ComponentChildren;
}

/** htmx leaves the back button alone, and keeps what it shows when the sandbox answers an error. */
const htmxConfig = JSON.stringify({
	history: false,
	noSwap: [204, 304, '4xx', '5xx'],
});

/** The frame of every page of the sandbox. */
export const Page = ({
	title,
	heading = title,
	width = 'narrow',
	live = false,
	nav,
	children,
}: PageProps) => (
	<html lang="en">
		<head>
			<meta charSet="utf-8" />
			<meta name="viewport" content="width=device-width, initial-scale=1" />
			<title>{`${title} · Payouts sandbox`}</title>
			<link rel="icon" href="data:," />
			<link rel="stylesheet" href="/assets/style.css" />
			{live && <meta name="htmx-config" content={htmxConfig} />}
			{live && <script src="/assets/htmx.js" defer />}
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

/** A page as text. */
export const html = (page: VNode): string => `<!doctype html>${renderToString(page)}`;

/** Sends a page. */
export const sendPage = async (reply: FastifyReply, page: VNode, status = 200): Promise<void> => {
	await reply.code(status).headers(pageHeaders).send(html(page));
};

/**
 * Nothing on a page may come from anywhere else, nor be kept or framed by anybody. Addresses of
 * pages stay on this host, and a form's Origin header tells the truth only under such a policy.
 */
export const pageHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
	'referrer-policy': 'same-origin',
	'x-content-type-options': 'nosniff',
};
