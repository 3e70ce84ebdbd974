import type { Obstacle, Payment, WaitingPayable } from '../../domain/vendor-account';
import { readiness, type VendorRow } from '../../domain/vendors';
import { Live, LiveHint } from '../../ui/live';
import { Table, type Column } from '../../ui/table';
import { Badge, DateOnly, Description, Money, Timestamp, UserText } from '../../ui/text';
import { Page } from '../../ui/page';

/** Everything a vendor sees. */
export interface Account {
	vendor: VendorRow;
	/** What the wallet holds, in minor units. */
	balance: number;
	payments: Payment[];
	waiting: WaitingPayable[];
	invitations: { workspace: string; url: string }[];
}

const reasons: Record<Obstacle, (waiting: WaitingPayable) => string> = {
	not_funded: ({ workspace }) => `${workspace} has not provided the money yet.`,
	awaiting_deposit: ({ workspace }) => `The bank transfer of ${workspace} has not arrived yet.`,
	not_accepted: ({ workspace }) => `You have not accepted the invitation of ${workspace} yet.`,
	not_verified: () => 'You are not verified yet.',
	tax_form_expired: () => 'Your tax form has expired. Renew it to be paid.',
	on_its_way: () => 'The money is set aside for you and on its way.',
};

const paymentColumns: Column<Payment>[] = [
	{ name: 'Paid', cell: ({ paidAt }) => <Timestamp at={paidAt} /> },
	{ name: 'From', cell: ({ workspace }) => <UserText>{workspace}</UserText> },
	{ name: 'For', cell: (payment) => <Description text={payment.description} /> },
	{ name: 'Amount', numeric: true, cell: ({ amount }) => <Money amount={amount} /> },
];

const waitingColumns: Column<WaitingPayable>[] = [
	{ name: 'From', cell: ({ workspace }) => <UserText>{workspace}</UserText> },
	{ name: 'For', cell: (waiting) => <Description text={waiting.description} /> },
	{
		name: 'Due',
		cell: ({ dueDate }) =>
			dueDate === null ? <span class="note">no date</span> : <DateOnly at={dueDate} />,
	},
	{
		name: 'Why it waits',
		cell: (waiting) => (
			<ul class="plain">
				{waiting.obstacles.map((obstacle) => (
					<li key={obstacle}>
						<UserText>{reasons[obstacle](waiting)}</UserText>
					</li>
				))}
			</ul>
		),
	},
	{ name: 'Amount', numeric: true, cell: ({ amount }) => <Money amount={amount} /> },
];

/** The vendor's own page. */
export const VendorPage = ({ vendor, balance, payments, waiting, invitations }: Account) => (
	<Page
		title={vendor.business_name ?? vendor.email}
		heading={<UserText>{vendor.business_name ?? vendor.email}</UserText>}
		width="wide"
		live
	>
		<LiveHint />
		<Live url={`/vendor/${encodeURIComponent(vendor.id)}`}>
			<dl class="facts">
				<div class="main">
					<dt>In your wallet</dt>
					<dd>
						<Money amount={balance} />
					</dd>
				</div>
				<div>
					<dt>Status</dt>
					<dd>
						<Badge state={readiness(vendor)} />
					</dd>
				</div>
				<div>
					<dt>E-mail address</dt>
					<dd>
						<UserText>{vendor.email}</UserText>
					</dd>
				</div>
			</dl>

			{invitations.length > 0 && (
				<section aria-labelledby="invitations">
					<h2 id="invitations">Invitations</h2>
					<ul>
						{invitations.map(({ workspace, url }) => (
							<li key={url}>
								<a href={url}>
									Accept the invitation of <UserText>{workspace}</UserText>
								</a>
							</li>
						))}
					</ul>
				</section>
			)}

			<section aria-labelledby="waiting">
				<h2 id="waiting">Waiting</h2>
				<Table
					caption="Approved for you and not paid yet"
					columns={waitingColumns}
					rows={waiting}
					idOf={({ payableId }) => payableId}
					empty="Nothing is waiting."
				/>
			</section>

			<section aria-labelledby="payments">
				<h2 id="payments">Payments</h2>
				<Table
					caption="What you have been paid, newest first"
					columns={paymentColumns}
					rows={payments}
					idOf={({ transferId }) => String(transferId)}
					empty="No payments yet. They appear here once somebody has paid you."
				/>
			</section>
		</Live>
	</Page>
);
