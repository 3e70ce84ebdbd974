import type { SignupRow } from '../../domain/signups';
import { check, line, valueOf } from '../../ui/form';
import { TextField } from '../../ui/fields';
import type { Step } from './step';

const digits = (text: string): string => text.replace(/[\s-]/g, '');

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** A routing number's digits, weighted, add up to a multiple of ten. */
const isRoutingNumber = (text: string): boolean =>
	/^\d{9}$/.test(text) &&
	WEIGHTS.reduce((sum, weight, index) => sum + weight * Number(text.charAt(index)), 0) % 10 === 0;

/** An account once given can stay: it is never shown, so nobody could type it again by heart. */
function accountError(account: string, { account_last_four }: SignupRow): string | undefined {
	if (account === '' && account_last_four !== null) return undefined;
	if (account === '') return 'Enter the account number.';
	return /^\d{4,17}$/.test(account) ? undefined : 'Use 4 to 17 digits for the account number.';
}

/** Where the money goes. */
export const bank: Step = {
	path: 'bank',
	title: 'Your bank account',
	button: 'Continue',
	isAnswered: ({ account_last_four }) => account_last_four !== null,
	values: ({ account_holder, routing_number }) => ({
		account_holder: account_holder ?? '',
		routing_number: routing_number ?? '',
	}),
	check: (values, signup) =>
		check(values, [
			line('account_holder', 'Enter the name of the account holder.'),
			['account_number', () => accountError(digits(valueOf(values, 'account_number')), signup)],
			[
				'routing_number',
				() =>
					isRoutingNumber(digits(valueOf(values, 'routing_number')))
						? undefined
						: 'Enter a routing number: nine digits of which the last checks the others.',
			],
		]),
	answers: (values, { account_last_four }) => ({
		account_holder: valueOf(values, 'account_holder'),
		account_last_four: digits(valueOf(values, 'account_number')).slice(-4) || account_last_four,
		routing_number: digits(valueOf(values, 'routing_number')),
	}),
	// The account number goes to nobody's screen, not even back to who typed it.
	repeat: ({ account_number: _, ...values }) => values,
	Fields: ({ signup, ...form }) => (
		<>
			<p class="note">
				Nothing real is needed: make the numbers up. No bank ever hears of them, and of the account
				number only the last four digits are kept.
			</p>
			<TextField
				{...form}
				name="account_holder"
				label="Account holder"
				autocomplete="name"
				maxLength={120}
			/>
			<TextField
				{...form}
				name="account_number"
				label="Account number"
				hint={
					signup.account_last_four === null
						? '4 to 17 digits. It is not shown again: type it anew when something else is wrong.'
						: `We have the account ending in ${signup.account_last_four}. Leave this empty to keep it.`
				}
				inputMode="numeric"
				maxLength={40}
			/>
			<TextField
				{...form}
				name="routing_number"
				label="Routing number"
				hint="Nine digits, for example 110000000."
				inputMode="numeric"
				maxLength={20}
			/>
		</>
	),
};
