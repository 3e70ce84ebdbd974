import type { ComponentChildren } from 'preact';
import { Page } from '../../ui/page';
import { LiveHint, Notice } from '../../ui/live';

/** Where the console is; its pages are not part of the control API. */
export const CONSOLE_ROOT = '/_sandbox/console';

/** The console's parts, in the order of the navigation. */
const parts = {
	workspaces: { name: 'Workspaces', path: CONSOLE_ROOT },
	outbox: { name: 'Outbox', path: `${CONSOLE_ROOT}/outbox` },
	requests: { name: 'Requests', path: `${CONSOLE_ROOT}/requests` },
	faults: { name: 'Faults', path: `${CONSOLE_ROOT}/faults` },
	events: { name: 'Events', path: `${CONSOLE_ROOT}/events` },
};
type Part = keyof typeof parts;

const Navigation = ({ current, exact }: { current: Part; exact: boolean }) => (
	<nav aria-label="Console">
		<ul>
			{Object.entries(parts).map(([part, { name, path }]) => (
				<li key={part}>
					<a href={path} aria-current={part !== current ? undefined : exact ? 'page' : true}>
						{name}
					</a>
				</li>
			))}
		</ul>
	</nav>
);

/** A page of the console. */
export const ConsolePage = (props: {
	part: Part;
	/** What the page is, when it is below its part. */
	title?: string;
	heading?: ComponentChildren;
	/** The result of the last action. */
	notice?: string | undefined;
	children: ComponentChildren;
}) => {
	const { part, title, heading, notice, children } = props;
	return (
		<Page
			title={title ?? parts[part].name}
			heading={heading ?? title ?? parts[part].name}
			width="wide"
			live
			nav={<Navigation current={part} exact={title === undefined} />}
		>
			<Notice>{notice}</Notice>
			<LiveHint />
			{children}
		</Page>
	);
};
