import { check, valueOf } from '../../ui/form';
import { CheckField, RadioField, TextField } from '../../ui/fields';
import type { Step } from './step';

const forms: [form: string, name: string, hint: string][] = [
	['W-9', 'Form W-9', 'For persons and businesses of the United States.'],
	['W-8BEN', 'Form W-8BEN', 'For everybody else.'],
];

/** For the tax authority, which in this sandbox is nobody. */
export const tax: Step = {
	path: 'tax',
	title: 'Your taxes',
	button: 'Sign and finish',
	isAnswered: ({ tax_form }) => tax_form !== null,
	values: ({ tax_form, country, tax_id_last_four }) => ({
		tax_form: tax_form ?? (country === 'US' ? 'W-9' : 'W-8BEN'),
		tax_id: tax_id_last_four ?? '',
	}),
	check: (values, { country }) =>
		check(values, [
			[
				'tax_form',
				() =>
					forms.some(([form]) => form === valueOf(values, 'tax_form'))
						? undefined
						: 'Choose a form.',
			],
			[
				'tax_form',
				() =>
					country === 'US' && valueOf(values, 'tax_form') !== 'W-9'
						? 'In the United States the form is W-9. Choose it, or go back to change the country.'
						: undefined,
			],
			[
				'tax_id',
				() =>
					/^\d{4}$/.test(valueOf(values, 'tax_id'))
						? undefined
						: 'Enter the last four digits of your tax ID.',
			],
			[
				'certify',
				() =>
					valueOf(values, 'certify') === 'yes'
						? undefined
						: 'Certify that what you have told is true.',
			],
		]),
	answers: (values) => ({
		tax_form: valueOf(values, 'tax_form'),
		tax_id_last_four: valueOf(values, 'tax_id'),
	}),
	repeat: (values) => values,
	Fields: (form) => (
		<>
			<RadioField {...form} name="tax_form" label="Tax form" options={forms} />
			<TextField
				{...form}
				name="tax_id"
				label="Tax ID, last four digits"
				hint="Make them up; the other digits are not asked for."
				inputMode="numeric"
				maxLength={4}
			/>
			<CheckField {...form} name="certify" label="I certify that what I have told is true." />
		</>
	),
};
