import { Page } from '../ui/page';

/** Says why signing in this way is not possible, and what to do. */
export const SignInFailed = ({ reason }: { reason: string }) => (
	<Page title="You cannot connect this way">
		<p class="error" role="alert">
			{reason}
		</p>
		<p>Close this window, mend what it says, and connect again. Nothing was shared.</p>
	</Page>
);
