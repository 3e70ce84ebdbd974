import { formatDollars } from '../shared/money';

/** Exact dollars of an amount in minor units. */
export const Money = ({ amount }: { amount: number | bigint }) => (
	<span class="money">{formatDollars(amount)}</span>
);

/** Text that a user has written; its direction does not change that of the text beside it. */
export const UserText = ({ children }: { children: string }) => <bdi>{children}</bdi>;

const moment = new Intl.DateTimeFormat('en-US', {
	dateStyle: 'medium',
	timeStyle: 'medium',
	hourCycle: 'h23',
	timeZone: 'UTC',
});

/** A moment in UTC, as the API tells it too. */
export const Timestamp = ({ at }: { at: string }) => (
	<time dateTime={at}>{`${moment.format(new Date(at))} UTC`}</time>
);

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of a moment, in UTC. */
export const DateOnly = ({ at }: { at: string }) => (
	<time dateTime={at}>{day.format(new Date(at))}</time>
);

/** What somebody has written about a thing, if anything. */
export const Description = ({ text }: { text: string | null }) =>
	text === null || text === '' ? <span class="note">none</span> : <UserText>{text}</UserText>;

/** What a state is called, and whether it is good, bad, or in between. */
const badges: Partial<Record<string, [text: string, tone: 'good' | 'bad' | 'open']>> = {
	verified: ['Verified', 'good'],
	rejected: ['Rejected', 'bad'],
	pending: ['Pending', 'open'],
	invited: ['Invited', 'open'],
	tax_form_expired: ['Tax form expired', 'bad'],
	funded: ['Funded', 'good'],
	awaiting_deposit: ['Awaiting deposit', 'open'],
};

/** A state as a label. */
export const Badge = ({ state }: { state: string }) => {
	const [text, tone] = badges[state] ?? [state, 'open'];
	return <span class={`badge ${tone}`}>{text}</span>;
};

/** `1 payable`, `2 payables`. */
export const counted = (count: number, one: string): string =>
	`${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
