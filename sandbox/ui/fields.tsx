import {
	fieldsOf,
	idOf,
	isClean,
	labelOf,
	linesOf,
	type Errors,
	type FormSchema,
	type Values,
} from './form';
import { UserText } from './text';

const Options = ({ values, value }: { values: readonly string[]; value: string }) => (
	<>
		{values.map((each) => (
			<option key={each} value={each} selected={each === value}>
				{each}
			</option>
		))}
	</>
);

export const SelectLabel = (props: {
	name: string;
	value: string;
	values: readonly string[];
	/** What stands for no choice. */
	all: string;
}) => (
	<div class="field">
		<label for={idOf(props.name)}>{labelOf(props.name)}</label>
		<select id={idOf(props.name)} name={props.name}>
			<option value="">{props.all}</option>
			<Options {...props} />
		</select>
	</div>
);

interface FieldProps {
	name: string;
	field: FormSchema;
	value: string;
	error: string | undefined;
	/** The value that it had before a person has changed it. */
	initial: string;
	isRequired: boolean;
}

/** Says what is wrong with a field, and what to enter. */
const Notes = ({
	id,
	field,
	error,
}: {
	id: string;
	field: FormSchema;
	error?: string | undefined;
}) => (
	<>
		{error !== undefined && (
			<p class="field-error" id={`${id}-error`}>
				<span class="visually-hidden">Error: </span>
				{error}
			</p>
		)}
		{field.description !== undefined && (
			<p class="note" id={`${id}-hint`}>
				{field.description}
			</p>
		)}
	</>
);

/** The IDs of a field's notes, for people who hear them. */
function notesOf({ name, field, value, initial, error }: FieldProps): string | undefined {
	const id = idOf(name);
	const ids: string[] = [];
	if (error !== undefined) {
		ids.push(`${id}-error`);
	}

	if (field.description !== undefined) {
		ids.push(`${id}-hint`);
	}

	if (value !== initial) {
		ids.push(`${id}-changed`);
	}

	return ids.length === 0 ? undefined : ids.join(' ');
}

function inputModeOf(field: FormSchema): 'numeric' | 'decimal' | undefined {
	if (field.type === 'integer') {
		return 'numeric';
	}

	return field.isMoney === true ? 'decimal' : undefined;
}

/** What a person fills in: a list, some lines, or one line. */
const Control = (props: FieldProps) => {
	const { name, field, value, error, isRequired } = props;
	const id = idOf(name);
	const state = {
		id,
		name,
		'aria-describedby': notesOf(props),
		'aria-invalid': error === undefined ? undefined : true,
	};
	if (field.type === 'boolean') {
		return <input {...state} type="checkbox" value="yes" checked={value === 'yes'} />;
	}

	const choices = field.enum ?? field.examples;
	if (choices !== undefined) {
		return (
			<select {...state}>
				{(!isRequired || value === '') && <option value="">{isRequired ? 'Choose' : 'any'}</option>}
				<Options values={choices.map(String)} value={value} />
			</select>
		);
	}

	if (field.control === 'lines') {
		return (
			<textarea {...state} rows={2}>
				{value}
			</textarea>
		);
	}

	return (
		<input
			{...state}
			type="text"
			inputMode={inputModeOf(field)}
			autocomplete="off"
			maxLength={field.maxLength}
			value={field.control === 'secret' ? '' : value}
		/>
	);
};

/** One of several things to choose. */
export interface Choice {
	value: string;
	text: string;
}

/** The choices that the schema of a list knows itself. */
const offeredBy = ({ items }: FormSchema): Choice[] =>
	(items?.enum ?? []).map((each) => ({ value: String(each), text: String(each) }));

/** A box for each choice; what is chosen has one whether it is offered or not. */
const Choices = (props: FieldProps & { choices: readonly Choice[] }) => {
	const { name, field, value, error, choices } = props;
	const id = idOf(name);
	const chosen = linesOf(value);
	const others = chosen.filter((each) => !choices.some((choice) => choice.value === each));
	const all = [...choices, ...others.map((each) => ({ value: each, text: each }))];
	return (
		<fieldset class="field choices" id={id} aria-describedby={notesOf(props)}>
			<legend>{labelOf(name, field)}</legend>
			<Notes id={id} field={field} error={error} />
			{all.map((choice) => {
				// By its value, so that a renewed page keeps each choice where it belongs.
				const boxId = `${id}-${choice.value}`;
				return (
					<div key={choice.value} id={`${boxId}-choice`} class="check">
						<input
							id={boxId}
							type="checkbox"
							name={name}
							value={choice.value}
							checked={chosen.includes(choice.value)}
						/>
						<label for={boxId}>
							<UserText>{choice.text}</UserText>
						</label>
					</div>
				);
			})}
		</fieldset>
	);
};

const Field = (props: FieldProps) => {
	const { name, field, value, error, initial } = props;
	const id = idOf(name);
	const isChanged = value !== initial;
	const label = (
		<>
			<label for={id}>{labelOf(name, field)}</label>{' '}
			{isChanged && (
				<span class="badge open" id={`${id}-changed`}>{`changed from ${initial}`}</span>
			)}
		</>
	);
	const notes = <Notes id={id} field={field} error={error} />;
	const control = <Control {...props} />;
	const className = isChanged ? 'field changed' : 'field';
	if (field.type === 'boolean') {
		return (
			<div class={`${className} check`}>
				{control}
				{label}
				{notes}
			</div>
		);
	}

	return (
		<div class={className}>
			{label}
			{notes}
			{control}
		</div>
	);
};

/** The fields of a schema. What `hidden` names is sent along and not shown. */
export const Fields = (props: {
	schema: FormSchema;
	values: Values;
	errors?: Errors | undefined;
	hidden?: readonly string[] | undefined;
	/** What each field has unless a person changes it; one that differs is marked. */
	defaults?: Values;
	/** What there is to choose for a field that is a list, where its schema does not say it. */
	choices?: Readonly<Record<string, readonly Choice[]>>;
}) => {
	const { schema, values, errors = {}, hidden = [], defaults = {}, choices = {} } = props;
	return (
		<>
			{fieldsOf(schema).map(({ name, field }) => {
				const value = field.const ?? values[name] ?? '';
				if (field.const !== undefined || hidden.includes(name)) {
					return <input key={name} type="hidden" name={name} value={value} />;
				}

				const shared: FieldProps = {
					name,
					field,
					value,
					error: errors[name],
					initial: defaults[name] ?? value,
					isRequired: schema.required?.includes(name) ?? false,
				};

				return field.type === 'array' ? (
					<Choices key={name} {...shared} choices={choices[name] ?? offeredBy(field)} />
				) : (
					<Field key={name} {...shared} />
				);
			})}
		</>
	);
};

/** Lists what is wrong with a form, with a link to each field. */
export const ErrorSummary = ({ errors }: { errors: Errors }) =>
	isClean(errors) ? null : (
		<div class="error" role="alert" tabIndex={-1} autofocus>
			<h2>Something is missing or wrong</h2>
			<ul>
				{Object.entries(errors).map(([name, error]) => (
					<li key={name}>{name === '' ? error : <a href={`#${idOf(name)}`}>{error}</a>}</li>
				))}
			</ul>
		</div>
	);
