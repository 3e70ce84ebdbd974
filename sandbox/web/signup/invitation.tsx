import { ErrorSummary, type FormState, TextField } from '../../ui/fields';
import { UserText } from '../../ui/text';
import { Page } from '../../ui/page';

/** The first page behind an invite link: who invites, and whom. */
export const Invitation = ({ workspace, ...form }: FormState & { workspace: string }) => (
	<Page
		title={`${Object.keys(form.errors).length > 0 ? 'Error: ' : ''}${workspace} wants to pay you`}
		heading={
			<>
				<UserText>{workspace}</UserText> wants to pay you
			</>
		}
	>
		<ErrorSummary errors={form.errors} />
		<p>
			Join the payouts network to get paid. It takes three short steps; if you are in the network
			already, it takes one.
		</p>
		<form method="post" novalidate>
			<TextField
				{...form}
				name="email"
				label="E-mail address"
				hint="The address at which you are paid."
				inputMode="email"
				autocomplete="email"
				maxLength={254}
			/>
			<button>Continue</button>
		</form>
	</Page>
);

/** Behind a link that leads to no workspace. */
export const NoInvitation = () => (
	<Page title="This invitation does not work">
		<p class="error">The link is incomplete, or nobody is paying by it any more.</p>
		<p>
			Open the whole link from your invitation mail, or ask whoever wants to pay you for a new one.
		</p>
	</Page>
);

/** Behind the address of a sign-up that is not there. */
export const NoSignup = () => (
	<Page title="There is no such sign-up">
		<p class="error">This sign-up was never begun, or the sandbox has been reset since.</p>
		<p>Open the link from your invitation again to begin anew. Nothing has been charged or paid.</p>
	</Page>
);
