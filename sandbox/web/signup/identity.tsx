import { check, line, valueOf } from '../../ui/form';
import { SelectField, TextField } from '../../ui/fields';
import { countries, isCountry } from './countries';
import type { Step } from './step';

/** Who is to be paid. */
export const identity: Step = {
	path: 'identity',
	title: 'Who you are',
	button: 'Continue',
	isAnswered: ({ legal_name }) => legal_name !== null,
	values: ({ legal_name, country }) => ({
		legal_name: legal_name ?? '',
		country: country ?? '',
	}),
	check: (values) =>
		check(values, [
			line('legal_name', 'Enter your legal name or the name of your business.'),
			['country', () => (isCountry(valueOf(values, 'country')) ? undefined : 'Choose a country.')],
		]),
	answers: (values) => ({
		legal_name: valueOf(values, 'legal_name'),
		country: valueOf(values, 'country'),
	}),
	repeat: (values) => values,
	Fields: (form) => (
		<>
			<TextField
				{...form}
				name="legal_name"
				label="Legal or business name"
				autocomplete="organization"
				maxLength={120}
			/>
			<SelectField
				{...form}
				name="country"
				label="Country"
				hint="Where you, or your business, are at home for tax."
				options={[['', 'Choose a country'], ...countries]}
			/>
		</>
	),
};
