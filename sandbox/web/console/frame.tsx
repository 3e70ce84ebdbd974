import type { ComponentChildren } from 'preact';
import type { Network } from '../../network/network';
import type { DeliveryDispatcher } from '../../deliveries/dispatcher';
import type { ControlRoutes } from '../../control/routes';
import type { WorkspaceRow } from '../../domain/workspaces';
import type { LoopbackAnswer } from '../../http/loopback';
import type { RequestLog } from '../../http/requestLog';
import { Notice, Page } from '../../ui/page';
import { Timestamp } from '../../ui/text';

/** How a client reaches the service. */
export interface Connection {
	apiUrl: string;
	authUrl: string;
	audience: string;
}

export interface PagesContext {
	connection: () => Connection;
	/** Calls the API as a client of the buyer that the workspace belongs to; the path is below its root. */
	callApi: (
		workspace: WorkspaceRow,
		call: { path: string; body?: unknown },
	) => Promise<LoopbackAnswer>;
	network: Network;
	deliveries: DeliveryDispatcher;
	log: RequestLog;
	routes: ControlRoutes;
	/** Whether deposits cannot be simulated. */
	production: boolean;
	/** Gets a line when a page itself fails. */
	reportError: (text: string) => void;
}

/** What a page is made of: the address that was asked for, and the last part of its path. */
export interface PageRequest {
	context: PagesContext;
	url: URL;
	id: string;
}

/** Where the console is; its pages are not part of the control API. */
export const CONSOLE_ROOT = '/_sandbox/console';

const parts = {
	overview: 'Overview',
	workspaces: 'Workspaces',
	vendors: 'Vendors',
	payables: 'Payables',
	outbox: 'Outbox',
	requests: 'Requests',
	events: 'Events',
	deliveries: 'Deliveries',
	faults: 'Faults',
	magic: 'Magic values',
	settings: 'Settings',
};

export type Part = keyof typeof parts;
export const isPart = (name: string): name is Part => name in parts;

/** The path of a page of the console, with parameters of the query. */
export function consolePath(path: string, query: Record<string, string | undefined> = {}): string {
	const given = Object.entries(query).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
	);

	const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
	const root = path === 'overview' ? CONSOLE_ROOT : `${CONSOLE_ROOT}/${path}`;
	return root + search;
}

/** @param isWhole whether the page is that of its part, and not one below it */
const Navigation = ({ current, isWhole }: { current: Part; isWhole: boolean }) => {
	const ariaCurrent = isWhole ? 'page' : true;
	return (
		<nav aria-label="Console">
			<ul>
				{Object.entries(parts).map(([part, name]) => (
					<li key={part}>
						<a href={consolePath(part)} aria-current={part === current ? ariaCurrent : undefined}>
							{name}
						</a>
					</li>
				))}
			</ul>
		</nav>
	);
};

/** What a buyer does on the console, by the name of the operation of the API. */
export const buyerSummaries = {
	invitePartners: { summary: 'Invite a vendor' },
	createPayable: { summary: 'Create a payable' },
	approvePayable: { summary: 'Approve a payable' },
	createFunding: { summary: 'Fund payables' },
	linkDeposit: { summary: 'Link a deposit to a funding' },
	createWebhookSubscription: { summary: 'Subscribe to events' },
};

export type BuyerCallName = keyof typeof buyerSummaries;

/** A button that does something, and comes back to the page it is on. */
interface Button {
	label: string;
	/** What the button is about, for people who do not see the row it is in. */
	about?: string;
	back: string;
	second?: boolean;
}

/** A button that posts values to a path of the console. */
const PostButton = (props: Button & { path: string; values: Record<string, string> }) => (
	<form method="post" action={consolePath(props.path)} class="inline">
		{Object.entries({ ...props.values, back: props.back }).map(([name, value]) => (
			<input key={name} type="hidden" name={name} value={value} />
		))}
		<button class={props.second ? 'small second' : 'small'}>
			{props.label}
			{props.about !== undefined && <span class="visually-hidden"> {props.about}</span>}
		</button>
	</form>
);

/** A button that calls the API as the buyer of a workspace. */
export const Buy = ({
	call,
	input,
	...button
}: Button & { call: BuyerCallName; input: Record<string, string>; about: string }) => (
	<PostButton {...button} path={`buy/${call}`} values={input} />
);

/** A button that does what a route of the control API does. */
export const Act = ({
	route,
	input = {},
	...button
}: Button & { route: keyof ControlRoutes; input?: Record<string, string> }) => (
	<PostButton {...button} path={`do/${route}`} values={input} />
);

const clockSteps = [
	{ name: 'minute', seconds: '60' },
	{ name: 'hour', seconds: '3600' },
	{ name: 'day', seconds: '86400' },
];

/** What a person wants at any time, whatever the page is about. */
const Bar = ({ network, back }: { network: Network; back: string }) => (
	<details class="bar">
		<summary>
			<span class="note">
				Clock: <Timestamp at={network.clock.iso()} />
				{network.clock.isFrozen && ', frozen'}
			</span>{' '}
			Time, tokens, reset
		</summary>
		<div class="actions">
			{clockSteps.map(({ name, seconds }) => (
				<Act
					key={seconds}
					route="advanceClock"
					input={{ seconds }}
					back={back}
					label={`Clock +1 ${name}`}
				/>
			))}
			{network.clock.isFrozen ? (
				<Act route="resumeClock" label="Resume the clock" back={back} second={true} />
			) : (
				<Act route="freezeClock" label="Freeze the clock" back={back} second={true} />
			)}
			<Act route="expireTokens" label="Expire all tokens" back={back} second={true} />
			<a href={consolePath('reset')}>Reset the sandbox</a>
			<a href={consolePath('control')}>Everything else</a>
		</div>
	</details>
);

export const ConsolePage = (props: {
	context: PagesContext;
	part: Part;
	/** What the page is, when it is below its part. */
	title?: string | undefined;
	heading?: ComponentChildren;
	/** The address that was asked for. */
	url: URL;
	children: ComponentChildren;
}) => {
	const { context, part, title, heading, url, children } = props;
	const done = url.searchParams.get('done') ?? '';
	const summaries = new Map(
		Object.entries<{ summary: string }>({ ...buyerSummaries, ...context.routes }),
	);

	const summary = summaries.get(done)?.summary;
	return (
		<Page
			title={title ?? parts[part]}
			heading={heading ?? title ?? parts[part]}
			width="wide"
			live
			nav={<Navigation current={part} isWhole={title === undefined} />}
		>
			<Notice>{summary && `Done: ${summary}.`}</Notice>
			<Bar network={context.network} back={pathOf(url)} />
			{children}
		</Page>
	);
};

/** A page's address on this host, without what the last action has done. */
export function pathOf(url: URL): string {
	const query = new URLSearchParams(url.searchParams);
	query.delete('done');
	return query.size === 0 ? url.pathname : `${url.pathname}?${query.toString()}`;
}
