import { Fragment, type ComponentChildren } from 'preact';
import { formatDollars } from '../shared/money';

export const Money = ({ amount }: { amount: number | bigint }) => (
	<span class="money">{formatDollars(amount)}</span>
);

/** Identifiers that nobody reads to the end: a list cuts them off, and whoever copies gets all of it. */
const IDENTIFIER = /\b([a-z]{2,5}_[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b/;
const LONGEST_WORD = 24;

/** A word as it is; a long one can break after its marks, and only without any of them elsewhere. */
function wordOf(word: string): ComponentChildren {
	if (word.length <= LONGEST_WORD) {
		return word.includes('-') ? <span class="unbroken">{word}</span> : word;
	}

	return word.split(/(?<=[/@._?&=:,-])/).map((part, index) => (
		<Fragment key={index}>
			{index > 0 && <wbr />}
			{part.length > LONGEST_WORD ? <span class="long">{part}</span> : part}
		</Fragment>
	));
}

/** Text in which no word breaks where it would not be read. */
export const Words = ({ children }: { children: string }) => (
	<>
		{children.split(IDENTIFIER).map((part, index) =>
			index % 2 === 1 ? (
				<span key={index} class="id" title={part}>
					{part}
				</span>
			) : (
				part.split(/(\s+)/).map((word) => wordOf(word))
			),
		)}
	</>
);

/** Text that a user has written; its direction does not change that of the text beside it. */
export const UserText = ({ children }: { children: string }) => (
	<bdi>
		<Words>{children}</Words>
	</bdi>
);

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

const exact = new Intl.DateTimeFormat('en-US', {
	month: 'short',
	day: 'numeric',
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
	fractionalSecondDigits: 3,
	hourCycle: 'h23',
	timeZone: 'UTC',
});

/** A moment in UTC to the millisecond. */
export const ExactTime = ({ at }: { at: string }) => (
	<time dateTime={at}>{exact.format(new Date(at))}</time>
);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const units = [
	{ ms: DAY, name: 'd' },
	{ ms: HOUR, name: 'h' },
	{ ms: MINUTE, name: 'min' },
	{ ms: SECOND, name: 's' },
];

/** 12 → `12 ms`, 1530 → `1.5 s` */
export function formatDuration(ms: number): string {
	const { ms: size, name } = units.find((unit) => ms >= unit.ms) ?? { ms: 1, name: 'ms' };
	return `${(ms / size).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${name}`;
}

export const Duration = ({ ms }: { ms: number }) => (
	<span class="duration">{formatDuration(ms)}</span>
);

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

export const DateOnly = ({ at }: { at: string }) => (
	<time dateTime={at}>{day.format(new Date(at))}</time>
);

export const Description = ({ text }: { text: string | null }) =>
	text === null || text === '' ? <span class="note none">none</span> : <UserText>{text}</UserText>;

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
	<span class={`badge ${toneOf(status)}`}>{status ?? 'no answer'}</span>
);

/** 0.25 → `25%` */
export const formatShare = (ratio: number): string =>
	`${(100 * ratio).toLocaleString('en-US', { maximumFractionDigits: 2 })}%`;

/** `1 payable`, `2 payables`. */
export const counted = (count: number, one: string): string =>
	`${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
