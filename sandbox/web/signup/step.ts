import type { VNode } from 'preact';
import type { Answers, SignupRow } from '../../domain/signups';
import type { Errors, Values } from '../../ui/form';
import type { FormState } from '../../ui/fields';

/** One page of questions. */
export interface Step {
	/** Its path below the sign-up's address. */
	path: string;
	title: string;
	/** What is on the button that sends it. */
	button: string;
	/** Whether it has been answered. */
	isAnswered: (signup: SignupRow) => boolean;
	/** The initial values of the form: the answers so far. */
	values: (signup: SignupRow) => Values;
	/** What is wrong with what was sent. */
	check: (values: Values, signup: SignupRow) => Errors;
	/** Answers to keep, from values that have nothing wrong. */
	answers: (values: Values, signup: SignupRow) => Partial<Answers>;
	/** What may be shown again of values that something is wrong with. */
	repeat: (values: Values) => Values;
	/** The questions. */
	Fields: (props: FormState & { signup: SignupRow }) => VNode;
}
