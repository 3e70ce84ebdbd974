import type { components } from '../../contract/service';

type Event = components['schemas']['Event'];

/** Ways to write the type of an event; the contract's own is `dotted`. */
export const nameStyles = {
	dotted: (type: string) => type,
	snake: (type: string) => type.replaceAll('.', '_'),
	pascal: (type: string) =>
		type
			.split(/[._]/)
			.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
			.join(''),
};

/** The name of such a way. */
export type NameStyle = keyof typeof nameStyles;

/** An event whose type is written in some way. */
type Named = Omit<Event, 'event_type'> & { event_type: string };

interface Envelope {
	/** How types are written in it, unless told otherwise. */
	names: NameStyle;
	/** Whether one POST is a list that takes several events. */
	together: boolean;
	wrap: (event: Named) => unknown;
}

const subject = ({ data }: Named) => ('partner' in data ? data.partner : data.payable);

/** What a subscriber finds around an event. Only `default` is in the contract. */
export const envelopes = {
	default: { names: 'dotted', together: false, wrap: (event) => event },
	typed: {
		names: 'pascal',
		together: false,
		wrap: (event) => ({ type: event.event_type, payload: subject(event) }),
	},
	bare: { names: 'dotted', together: false, wrap: subject },
	list: { names: 'snake', together: true, wrap: (event) => event },
} satisfies Record<string, Envelope>;

/** The name of an envelope. */
export type EnvelopeName = keyof typeof envelopes;

/** How events are written. */
export interface Writing {
	envelope: EnvelopeName;
	/** How the types of events are written; null leaves it to the envelope. */
	names: NameStyle | null;
}

/** Whether an envelope takes several events. */
export const takesSeveral = (name: EnvelopeName): boolean => envelopes[name].together;

/** The body that tells of these events; of the first one alone when the envelope takes no more. */
export function write(writing: Writing, events: Event[]): string {
	const { names, together, wrap }: Envelope = envelopes[writing.envelope];
	const rename = nameStyles[writing.names ?? names];
	const wrapped = events.map((event) => wrap({ ...event, event_type: rename(event.event_type) }));
	return JSON.stringify(together ? wrapped : wrapped[0]);
}
