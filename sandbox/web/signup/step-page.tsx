import type { SignupRow } from '../../domain/signups';
import type { FormState } from '../../ui/fields';
import { ErrorSummary } from '../../ui/fields';
import { isClean } from '../../ui/form';
import { Page } from '../../ui/page';
import type { Step } from './step';

/** One step of the sign-up: where one is, the questions, and the ways on and back. */
export const StepPage = (
	props: FormState & {
		step: Step;
		steps: readonly Step[];
		signup: SignupRow;
		/** Where the page before this one is. */
		back: string;
	},
) => {
	const { step, steps, signup, back, values, errors } = props;
	const progress = `Step ${steps.indexOf(step) + 1} of ${steps.length}`;
	return (
		<Page
			title={`${isClean(errors) ? '' : 'Error: '}${step.title}, ${progress}`}
			heading={step.title}
		>
			<ErrorSummary errors={errors} />
			<p class="progress">{progress}</p>
			<ol class="steps" aria-label="Steps of the sign-up">
				{steps.map((one) => (
					<li
						key={one.path}
						aria-current={one === step ? 'step' : undefined}
						class={one.isAnswered(signup) ? 'answered' : undefined}
					>
						{one.title}
						{one.isAnswered(signup) && <span class="visually-hidden"> (answered)</span>}
					</li>
				))}
			</ol>
			<form method="post" novalidate>
				<step.Fields values={values} errors={errors} signup={signup} />
				<div class="actions">
					<button>{step.button}</button>
					<a href={back}>Back</a>
				</div>
			</form>
		</Page>
	);
};
