import type { Fault } from '../../http/faults';
import { check, valueOf, type Errors, type Values } from '../../ui/form';
import { CheckField, ErrorSummary, SelectField, TextField, type FormState } from '../../ui/fields';
import { faultNames } from './fault-names';
import { operationIds, operationOptions } from './operations';

/** A whole number between two bounds, or undefined. */
function wholeNumber(text: string, least: number, most: number): number | undefined {
	if (!/^\d{1,9}$/.test(text)) return undefined;
	const number = Number(text);
	return number >= least && number <= most ? number : undefined;
}

const ms = (values: Values) => wholeNumber(valueOf(values, 'ms'), 0, 600_000);
const status = (values: Values) => wholeNumber(valueOf(values, 'status'), 200, 599);
const times = (values: Values) => wholeNumber(valueOf(values, 'times'), 1, 1_000_000);

type Shared = Pick<Fault, 'times' | 'match'>;

/** How each kind is made of the form; undefined when its field is wrong. */
const makers: Record<Fault['kind'], (values: Values, shared: Shared) => Fault | undefined> = {
	latency: (values, shared) => {
		const delay = ms(values);
		return delay === undefined ? undefined : { ...shared, kind: 'latency', ms: delay };
	},
	cut_before: (_, shared) => ({ ...shared, kind: 'cut_before' }),
	cut_after: (_, shared) => ({ ...shared, kind: 'cut_after' }),
	status: (values, shared) => {
		const code = status(values);
		const after = valueOf(values, 'after') === 'yes';
		return code === undefined ? undefined : { ...shared, kind: 'status', status: code, after };
	},
	body: (values, shared) => ({ ...shared, kind: 'body', body: valueOf(values, 'body') }),
};

const isKind = (text: string): text is Fault['kind'] => Object.hasOwn(makers, text);

/** The initial state of the form. */
export const initialForm: FormState = {
	values: { kind: 'latency', times: '1', ms: '2000', status: '503' },
	errors: {},
};

/** The fault that a form describes, or what is wrong with the form. */
export function parseFault(values: Values): { fault: Fault } | { errors: Errors } {
	const kind = valueOf(values, 'kind');
	const operationId = valueOf(values, 'operationId');
	const errors = check(values, [
		['kind', () => (isKind(kind) ? undefined : 'Choose what goes wrong.')],
		[
			'operationId',
			() =>
				operationId === '' || operationIds.includes(operationId)
					? undefined
					: 'Choose an operation of the list.',
		],
		['times', () => (times(values) === undefined ? 'Enter how often, from 1 on.' : undefined)],
		[
			'ms',
			() =>
				kind === 'latency' && ms(values) === undefined
					? 'Enter milliseconds from 0 to 600000.'
					: undefined,
		],
		[
			'status',
			() =>
				kind === 'status' && status(values) === undefined
					? 'Enter a status from 200 to 599.'
					: undefined,
		],
	]);
	const shared: Shared = {
		times: times(values) ?? 1,
		...(operationId === '' ? {} : { match: { operationId } }),
	};
	const fault = isKind(kind) ? makers[kind](values, shared) : undefined;
	const wrong = Object.values(errors).some((error) => error !== undefined);
	return fault === undefined || wrong ? { errors } : { fault };
}

/** Injects a fault. The style sheet hides the fields that a kind does not have, without any script. */
export const FaultForm = (form: FormState) => (
	<section aria-labelledby="inject">
		<h2 id="inject">Inject a fault</h2>
		<ErrorSummary errors={form.errors} />
		<form method="post" action="/_sandbox/console/faults" class="fault" novalidate>
			<SelectField
				{...form}
				name="kind"
				label="What goes wrong"
				options={Object.entries(faultNames)}
			/>
			<SelectField
				{...form}
				name="operationId"
				label="Which operation it strikes"
				options={operationOptions('The next request, whatever it is')}
			/>
			<TextField
				{...form}
				name="times"
				label="How many requests it strikes"
				inputMode="numeric"
				maxLength={9}
			/>
			<div class="for-latency">
				<TextField {...form} name="ms" label="Milliseconds" inputMode="numeric" maxLength={9} />
			</div>
			<div class="for-status">
				<TextField {...form} name="status" label="Status" inputMode="numeric" maxLength={3} />
				<CheckField {...form} name="after" label="Carry the request out first" />
			</div>
			<div class="for-body">
				<TextField
					{...form}
					name="body"
					label="Answer"
					hint="Sent as it is, as text/html with status 200."
				/>
			</div>
			<button>Inject the fault</button>
		</form>
	</section>
);
