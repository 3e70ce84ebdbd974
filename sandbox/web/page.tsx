import type { FastifyReply } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What every page has. */
interface PageProps {
	/** What this page is, for the browser's tab; also its heading unless `heading` says more. */
	title: string;
	heading?: string;
	/** Wide pages hold tables, narrow ones a form. */
	width?: 'narrow' | 'wide';
	children: ComponentChildren;
}

/** The frame of every page of the sandbox. */
export const Page = ({ title, heading = title, width = 'narrow', children }: PageProps) => (
	<html lang="en">
		<head>
			<meta charSet="utf-8" />
			<meta name="viewport" content="width=device-width, initial-scale=1" />
			<title>{`${title} · Payouts sandbox`}</title>
			<link rel="icon" href="data:," />
			<link rel="stylesheet" href="/assets/style.css" />
			{width === 'wide' && <script src="/assets/htmx.js" defer />}
		</head>
		<body>
			<header class="banner">
				<strong>Payouts sandbox</strong> <span>No real money moves here.</span>
			</header>
			<main class={width}>
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

/** Nothing on a page may come from anywhere else, nor be kept or framed by anybody. */
export const pageHeaders = {
	'content-type': 'text/html; charset=utf-8',
	'cache-control': 'no-store',
	'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
};
