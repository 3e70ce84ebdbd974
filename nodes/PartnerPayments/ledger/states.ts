/** The states of a payment; docs/paying-once.md explains each. */
export const STATES = [
	'preparing',
	'prepared',
	'held',
	'sending',
	'unconfirmed',
	'funded',
	'awaiting_deposit',
	'paid',
	'not_paid',
	'void',
	'surplus',
] as const;
export type State = (typeof STATES)[number];

export type FundedState = Extract<State, 'funded' | 'awaiting_deposit'>;
