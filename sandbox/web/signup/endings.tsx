import type { VendorRow } from '../../domain/vendors';
import { UserText } from '../../ui/text';
import { Page } from '../../ui/page';

/** A vendor the network knows and has verified has only to agree. */
export const Accept = ({ workspace, vendor }: { workspace: string; vendor: VendorRow }) => (
	<Page
		title={`Accept ${workspace}`}
		heading={
			<>
				Let <UserText>{workspace}</UserText> pay you?
			</>
		}
	>
		<form method="post">
			<p>
				<UserText>{vendor.business_name ?? vendor.email}</UserText> is in the network and verified:
				there is nothing more to fill in.
			</p>
			<p class="note">Payments go to the account that you have given before.</p>
			<button>Accept the invitation</button>
		</form>
	</Page>
);

/** The end of every sign-up that went well. */
export const Joined = ({ workspace, vendor }: { workspace: string; vendor: VendorRow }) => (
	<Page
		title="You can be paid"
		heading={
			<>
				<UserText>{workspace}</UserText> can pay you now
			</>
		}
	>
		<p class="notice" role="status" tabIndex={-1} autofocus>
			You are verified. What has been waiting for you is paid as soon as its money is there.
		</p>
		<div class="card">
			<p>
				Payments to <UserText>{vendor.email}</UserText> go to{' '}
				<strong>
					<UserText>{vendor.business_name ?? vendor.email}</UserText>
				</strong>
				.
			</p>
			<p>
				<a href={`/vendor/${encodeURIComponent(vendor.id)}`}>See your wallet and payments</a>
			</p>
		</div>
	</Page>
);

/** The network has said no. Filling in the same forms again does not change that. */
export const Declined = ({ workspace, email }: { workspace: string; email: string }) => (
	<Page title="You cannot be paid through this network">
		<p class="error">
			The network has checked <UserText>{email}</UserText> before and declined it, so{' '}
			<UserText>{workspace}</UserText> cannot pay this address here.
		</p>
		<p>
			Signing up again does not change this. Ask <UserText>{workspace}</UserText> about it. In this
			sandbox, whoever plays the network can verify you on the buyer console; then open the invite
			link again.
		</p>
	</Page>
);
