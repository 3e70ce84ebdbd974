import type { ComponentChildren } from 'preact';

/**
 * A part of a page that is polled and patched in place: focus, and what a person is filling in,
 * stay. It is silent: nothing is announced to screen readers.
 * @param props.url the address of the page it is on, without passing messages
 */
export const Live = ({ url, children }: { url: string; children: ComponentChildren }) => (
	<div
		id="live"
		hx-get={url}
		hx-trigger="every 1500ms"
		hx-select="#live"
		hx-swap="outerMorph"
		hx-sync="drop"
	>
		{children}
	</div>
);

/** Says what to do where nothing renews itself. */
export const LiveHint = () => (
	<noscript>
		<p class="note">Reload this page to see what is new.</p>
	</noscript>
);

/** The result of the last action; it gets the focus, so that it is read first. */
export const Notice = ({ children }: { children: string | undefined }) =>
	children === undefined ? null : (
		<p class="notice" role="status" tabIndex={-1} autofocus>
			{children}
		</p>
	);
