import type { ComponentChildren } from 'preact';
import { type Errors, valueOf, type Values } from './form';

/** What the fields of one form share. */
export interface FormState {
	values: Values;
	errors: Errors;
}

interface FieldProps extends FormState {
	name: string;
	label: string;
	/** Said below the label, for example the format. */
	hint?: ComponentChildren;
}

const idOf = (name: string): string => `field-${name}`;

/** The ids of what describes a field: what is wrong with it first, then its hint. */
const describedBy = ({ name, errors, hint }: Pick<FieldProps, 'name' | 'errors' | 'hint'>) =>
	[
		...(errors[name] === undefined ? [] : [`${idOf(name)}-error`]),
		...(hint === undefined ? [] : [`${idOf(name)}-hint`]),
	].join(' ') || undefined;

const Hint = ({ name, hint }: Pick<FieldProps, 'name' | 'hint'>) =>
	hint === undefined ? null : (
		<p class="note" id={`${idOf(name)}-hint`}>
			{hint}
		</p>
	);

const FieldError = ({ name, errors }: Pick<FieldProps, 'name' | 'errors'>) =>
	errors[name] === undefined ? null : (
		<p class="field-error" id={`${idOf(name)}-error`}>
			<span class="visually-hidden">Error: </span>
			{errors[name]}
		</p>
	);

/** A control's attributes that say what is wrong with it. */
const state = (props: Pick<FieldProps, 'name' | 'errors' | 'hint'>) => ({
	id: idOf(props.name),
	name: props.name,
	'aria-describedby': describedBy(props),
	'aria-invalid': props.errors[props.name] === undefined ? undefined : true,
});

/** One line of text with its label, hint and error. */
export const TextField = (
	props: FieldProps & {
		/** Which keys a telephone offers. */
		inputMode?: 'numeric' | 'decimal' | 'email';
		autocomplete?: string;
		maxLength?: number;
	},
) => (
	<div class="field">
		<label for={idOf(props.name)}>{props.label}</label>
		<Hint {...props} />
		<FieldError {...props} />
		<input
			{...state(props)}
			type="text"
			inputMode={props.inputMode}
			autocomplete={props.autocomplete ?? 'off'}
			maxLength={props.maxLength}
			value={valueOf(props.values, props.name)}
		/>
	</div>
);

/** Something to choose from; an option is its value and what it is called. */
export const SelectField = (props: FieldProps & { options: [value: string, text: string][] }) => (
	<div class="field">
		<label for={idOf(props.name)}>{props.label}</label>
		<Hint {...props} />
		<FieldError {...props} />
		<select {...state(props)}>
			{props.options.map(([value, text]) => (
				<option key={value} value={value} selected={value === valueOf(props.values, props.name)}>
					{text}
				</option>
			))}
		</select>
	</div>
);

/** A few things of which one is chosen, all of them seen. */
export const RadioField = (
	props: FieldProps & { options: [value: string, text: string, hint: string][] },
) => (
	<fieldset class="field" aria-describedby={describedBy(props)}>
		<legend>{props.label}</legend>
		<Hint {...props} />
		<FieldError {...props} />
		{props.options.map(([value, text, hint], index) => (
			<div class="option" key={value}>
				<input
					type="radio"
					id={index === 0 ? idOf(props.name) : `${idOf(props.name)}-${index}`}
					name={props.name}
					value={value}
					checked={value === valueOf(props.values, props.name)}
					aria-describedby={`${idOf(props.name)}-hint-${index}`}
				/>
				<label for={index === 0 ? idOf(props.name) : `${idOf(props.name)}-${index}`}>{text}</label>
				<p class="note" id={`${idOf(props.name)}-hint-${index}`}>
					{hint}
				</p>
			</div>
		))}
	</fieldset>
);

/** A statement to agree with. */
export const CheckField = (props: FieldProps) => (
	<div class="field">
		<FieldError {...props} />
		<div class="option">
			<input
				{...state(props)}
				type="checkbox"
				value="yes"
				checked={valueOf(props.values, props.name) === 'yes'}
			/>
			<label for={idOf(props.name)}>{props.label}</label>
		</div>
		<Hint {...props} />
	</div>
);

/** Everything that is wrong with a form, above it, with the way to each field. */
export const ErrorSummary = ({ errors }: Pick<FormState, 'errors'>) => {
	const found = Object.entries(errors).filter(([, error]) => error !== undefined);
	return found.length === 0 ? null : (
		<div class="error" role="alert" tabIndex={-1} autofocus>
			<h2>Something is missing or wrong</h2>
			<ul>
				{found.map(([name, error]) => (
					<li key={name}>
						<a href={`#${idOf(name)}`}>{error}</a>
					</li>
				))}
			</ul>
		</div>
	);
};
