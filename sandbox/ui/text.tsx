import { formatDollars } from '../shared/money';

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

export const DateOnly = ({ at }: { at: string }) => (
	<time dateTime={at}>{day.format(new Date(at))}</time>
);

export const Description = ({ text }: { text: string | null }) =>
	text === null || text === '' ? <span class="note">none</span> : <UserText>{text}</UserText>;

/** Whether a state is good or bad; all others are in between. */
const tones: Partial<Record<string, 'good' | 'bad'>> = {
	verified: 'good',
	funded: 'good',
	paid: 'good',
	delivered: 'good',
	linked: 'good',
	rejected: 'bad',
	tax_form_expired: 'bad',
	failed: 'bad',
	dropped: 'bad',
};

/** `tax_form_expired` → `Tax form expired` */
export const nameOfState = (state: string): string =>
	state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ');

export const Badge = ({ state }: { state: string }) => (
	<span class={`badge ${tones[state] ?? 'open'}`}>{nameOfState(state)}</span>
);

function toneOf(status: number | null): 'good' | 'open' | 'bad' {
	if (status === null || status >= 500) {
		return 'bad';
	}

	return status >= 400 ? 'open' : 'good';
}

export const StatusBadge = ({ status }: { status: number | null }) => (
	<span class={`badge ${toneOf(status)}`}>{status ?? 'none'}</span>
);

/** 0.25 → `25%` */
export const formatShare = (ratio: number): string =>
	`${(100 * ratio).toLocaleString('en-US', { maximumFractionDigits: 2 })}%`;

/** `1 payable`, `2 payables`. */
export const counted = (count: number, one: string): string =>
	`${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
