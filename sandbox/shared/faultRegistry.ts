import { object } from './jsonSchema';

interface Frequency {
	/** How many times; once when neither this nor a ratio is given. */
	times?: number;
	/** The share of what it matches, from 0 to 1, by seeded chance; all when left out. */
	ratio?: number;
}

/** An injected fault; `remaining` is null for one that lasts until it is cleared. */
export type Active<Fault> = Fault & { id: number; remaining: number | null };

const frequency = {
	times: { type: 'integer', minimum: 1, description: 'How often it strikes' },
	ratio: { type: 'number', minimum: 0, maximum: 1, description: 'Share from 0 to 1, by chance' },
} as const;

/** JSON schema of a fault of one kind: what it does, and what it has beside its frequency. */
export const faultKind = <
	const Kind extends string,
	const Properties extends Record<string, unknown>,
	const Required extends readonly (keyof Properties)[],
>(
	kind: Kind,
	title: string,
	properties: Properties,
	required: Required,
) => ({
	title,
	...object({ kind: { type: 'string', const: kind }, ...frequency, ...properties }, [
		'kind',
		...required,
	]),
});

export const faultOf = <const Kinds extends readonly unknown[]>(...kinds: Kinds) =>
	({
		type: 'object',
		required: ['kind'],
		discriminator: { propertyName: 'kind' },
		oneOf: kinds,
	}) as const;

/** The injected faults that still strike, in the order in which they were injected. */
export class FaultRegistry<Fault extends Frequency> {
	private active: Active<Fault>[] = [];
	private nextId = 1;

	inject(fault: Fault): Active<Fault> {
		const once = fault.ratio === undefined ? 1 : null;
		const active = { ...fault, id: this.nextId, remaining: fault.times ?? once };
		this.nextId += 1;
		this.active.push(active);
		return active;
	}

	list(): Active<Fault>[] {
		return this.active;
	}

	/** Removes all faults. Numbers start over, so that a seed decides as it did at the start. */
	clear(): void {
		this.active = [];
		this.nextId = 1;
	}

	/** Counts that the fault has struck once, and removes it when that was the last time. */
	use(fault: Active<Fault>): void {
		if (fault.remaining !== null) {
			fault.remaining -= 1;
		}

		this.active = this.active.filter(({ remaining }) => remaining !== 0);
	}
}
