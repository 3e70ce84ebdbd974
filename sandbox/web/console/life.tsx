import type { ComponentChildren } from 'preact';
import type { LoggedAttempt } from '../../deliveries/attempt';
import type { DeliveryView } from '../../deliveries/deliveryViews';
import type { Move, Moment } from '../../domain/timeline';
import { Badge, counted, Duration, ExactTime, StatusBadge, UserText } from '../../ui/text';

/** One point of a life. What has not come yet has no time. */
interface Point {
	key: string;
	title: ComponentChildren;
	at: string | undefined;
	/** When the point before it was. */
	before: string | undefined;
	notes: ComponentChildren[];
	tone: 'good' | 'open' | 'bad' | 'ahead';
}

const millisecondsBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

const Life = ({ label, points }: { label: string; points: Point[] }) => (
	<ol class="life" aria-label={label}>
		{points.map(({ key, title, at, before, notes, tone }) => (
			<li key={key} class={tone}>
				<div class="title">
					{title}
					{at !== undefined && before !== undefined && (
						<span class="note">
							{' '}
							after <Duration ms={millisecondsBetween(before, at)} />
						</span>
					)}
				</div>
				{at !== undefined && <ExactTime at={at} />}
				{notes.map((note, index) => (
					<div key={index} class="note">
						{note}
					</div>
				))}
			</li>
		))}
	</ol>
);

const STATES: Move['status'][] = ['draft', 'approved', 'will_pay', 'paid'];

/** Whoever acts moves a payable up to approved; what comes then the service does, for a reason. */
function moverOf({ status, actor, action }: Move): ComponentChildren {
	const isByService = status === 'will_pay' || status === 'paid';
	return (
		<>
			{isByService ? 'by the service, after ' : 'by '}
			<UserText>{isByService ? `${action} by ${actor}` : `${actor}, with ${action}`}</UserText>
		</>
	);
}

const counts: { kind: Moment['kind']; name: string }[] = [
	{ kind: 'request', name: 'call' },
	{ kind: 'event', name: 'event' },
	{ kind: 'delivery', name: 'delivery' },
];

const numberOf = (count: number, name: string): string =>
	name === 'delivery' && count !== 1 ? `${count} deliveries` : counted(count, name);

/** How many calls, events and deliveries came in a state, before the next one. */
function happenedIn(moments: Moment[], from: string, to: string | undefined): string {
	const during = moments.filter(({ at }) => at >= from && (to === undefined || at < to));
	return counts
		.map(({ kind, name }) => ({ name, count: during.filter((one) => one.kind === kind).length }))
		.filter(({ count }) => count > 0)
		.map(({ name, count }) => numberOf(count, name))
		.join(', ');
}

/** A payable from draft to paid: when, by whom, and what happened on the way. */
export const PayableLife = ({ moves, moments }: { moves: Move[]; moments: Moment[] }) => {
	const points = STATES.map((status, index): Point => {
		const move = moves.find((each) => each.status === status);
		const title = <Badge state={status} />;
		if (move === undefined) {
			return { key: status, title, at: undefined, before: undefined, notes: [], tone: 'ahead' };
		}

		const next = moves.find((each) => STATES.indexOf(each.status) > index);
		const happened = happenedIn(moments, move.at, next?.at);
		return {
			key: status,
			title,
			at: move.at,
			before: moves.findLast((each) => STATES.indexOf(each.status) < index)?.at,
			notes: happened === '' ? [moverOf(move)] : [moverOf(move), happened],
			tone: status === 'paid' ? 'good' : 'open',
		};
	});

	return <Life label="The life of this payable" points={points} />;
};

function attemptPoint(attempt: LoggedAttempt, before: string): Point {
	const { number, status, error, faults, durationMs } = attempt;
	const isGood = status !== null && status >= 200 && status < 300;
	const notes: ComponentChildren[] = [
		<>
			took <Duration ms={durationMs} />
		</>,
	];
	if (error !== null) {
		notes.push(<UserText>{error}</UserText>);
	}

	if (faults.length > 0) {
		notes.push(`fault: ${faults.join(', ')}`);
	}

	return {
		key: String(number),
		title: (
			<>
				{`Attempt ${attempt.attempt}`} <StatusBadge status={status} />
			</>
		),
		at: attempt.at,
		before,
		notes,
		tone: isGood ? 'good' : 'bad',
	};
}

/** The last point: where a delivery stands now. */
function standing({ state, dueAt, deliveredAt }: DeliveryView): Point {
	const tones: Partial<Record<DeliveryView['state'], Point['tone']>> = {
		delivered: 'good',
		failed: 'bad',
		dropped: 'bad',
	};

	return {
		key: 'now',
		title: <Badge state={state} />,
		at: deliveredAt ?? undefined,
		before: undefined,
		notes:
			dueAt === null
				? []
				: [
						<>
							next attempt at <ExactTime at={dueAt} />
						</>,
					],
		tone: tones[state] ?? 'ahead',
	};
}

/** A delivery from its event over every attempt to where it stands. */
export const DeliveryLife = (props: {
	delivery: DeliveryView;
	recordedAt: string;
	attempts: LoggedAttempt[];
}) => {
	const { delivery, recordedAt, attempts } = props;
	const recorded: Point = {
		key: 'recorded',
		title: 'Recorded',
		at: recordedAt,
		before: undefined,
		notes: [delivery.eventType],
		tone: 'open',
	};

	const points = attempts.map((attempt, index) =>
		attemptPoint(attempt, attempts[index - 1]?.at ?? recordedAt),
	);

	return (
		<Life label="The life of this delivery" points={[recorded, ...points, standing(delivery)]} />
	);
};
