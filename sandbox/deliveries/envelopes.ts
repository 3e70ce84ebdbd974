import type { components } from '../../contract/service';
import type { Settings } from '../shared/settings';

type Event = components['schemas']['Event'];

type NameStyle = Exclude<Settings['names'], 'envelope'>;

const nameStyles: Record<NameStyle, (type: string) => string> = {
	dotted: (type) => type,
	snake: (type) => type.replaceAll('.', '_'),
	pascal: (type) =>
		type
			.split(/[._]/)
			.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
			.join(''),
};

type RenamedEvent = Omit<Event, 'event_type'> & { event_type: string };

interface Envelope {
	/** How types are written in it, unless told otherwise. */
	names: NameStyle;
	isBatch: boolean;
	wrap: (event: RenamedEvent) => unknown;
}

const subject = ({ data }: RenamedEvent) => ('partner' in data ? data.partner : data.payable);

/** Only `default` is in the contract. */
const envelopes: Record<Settings['envelope'], Envelope> = {
	default: { names: 'dotted', isBatch: false, wrap: (event) => event },
	typed: {
		names: 'pascal',
		isBatch: false,
		wrap: (event) => ({ type: event.event_type, payload: subject(event) }),
	},
	bare: { names: 'dotted', isBatch: false, wrap: subject },
	thin: {
		names: 'dotted',
		isBatch: false,
		wrap: (event) => ({
			id: event.id,
			event_type: event.event_type,
			data: { id: subject(event).id },
		}),
	},
	list: { names: 'snake', isBatch: true, wrap: (event) => event },
};

/** Whether one POST in this envelope carries several events. */
export const isBatchEnvelope = (name: Settings['envelope']): boolean => envelopes[name].isBatch;

/** The body for these events; only for the first one when the envelope carries no more. */
export function serializeEvents(format: Settings, events: Event[]): string {
	const { names, isBatch, wrap } = envelopes[format.envelope];
	const style = format.names === 'envelope' ? names : format.names;
	const rename = nameStyles[style];
	const wrapped = events.map((event) => wrap({ ...event, event_type: rename(event.event_type) }));
	return JSON.stringify(isBatch ? wrapped : wrapped[0]);
}
