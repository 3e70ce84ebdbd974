import type { FastifyInstance } from 'fastify';
import { balance, vendorWallet } from '../domain/ledger';
import {
	invitationsTo,
	MOST_SHOWN,
	payablesWaitingFor,
	paymentsTo,
	type Obstacle,
	type Payment,
	type WaitingPayable,
} from '../domain/vendor-account';
import { findVendor, readiness, taxForm, type VendorRow } from '../domain/vendors';
import { inviteUrl } from '../domain/workspaces';
import type { Network } from '../network/network';
import { HttpError } from '../shared/errors';
import { Live, Page, sendLivePage } from '../ui/page';
import { Facts, Table, type Column } from '../ui/table';
import { Badge, DateOnly, Description, Money, Timestamp, UserText } from '../ui/text';

/** Serves each vendor's own page, the only place that shows the wallet to its owner. */
export function serveVendor(app: FastifyInstance, network: Network): void {
	app.get<{ Params: { serviceId: string } }>('/vendor/:serviceId', async (request, reply) => {
		const { serviceId } = request.params;
		const vendor = findVendor(network, serviceId);
		// Knowing an address is not enough to see the wallet.
		if (vendor === undefined || vendor.id !== serviceId) {
			throw new HttpError(404, 'not_found', 'The network has no vendor with this identifier.');
		}
		await sendLivePage(request, reply, network.store, () => (
			<VendorPage network={network} vendor={vendor} />
		));
	});
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

const More = ({ rows, total }: { rows: unknown[]; total: number }) =>
	total > rows.length ? (
		<p class="note">{`Shown are ${MOST_SHOWN} of ${total.toLocaleString('en-US')}.`}</p>
	) : null;

/** The vendor's own page. */
const VendorPage = ({ network, vendor }: { network: Network; vendor: VendorRow }) => {
	const waiting = payablesWaitingFor(network, vendor.email);
	const payments = paymentsTo(network, vendor.id);
	const name = vendor.business_name ?? vendor.email;
	const invitations = invitationsTo(network, vendor.email);
	const isExpired = taxForm(vendor) === 'expired';
	return (
		<Page title={name} heading={<UserText>{name}</UserText>} width="wide" live>
			<Live url={`/vendor/${encodeURIComponent(vendor.id)}`}>
				<Facts
					facts={{
						'In your wallet': <Money amount={balance(network, vendorWallet(vendor.id))} />,
						Status: <Badge state={readiness(vendor)} />,
						'E-mail address': <UserText>{vendor.email}</UserText>,
					}}
				/>
				{isExpired && (
					<p class="error">Your tax form has expired. Payments wait until you renew it.</p>
				)}

				{invitations.length > 0 && (
					<section aria-labelledby="invitations">
						<h2 id="invitations">Invitations</h2>
						<ul>
							{invitations.map((workspace) => (
								<li key={workspace.id}>
									<a
										href={`${inviteUrl(network, workspace)}&email=${encodeURIComponent(vendor.email)}`}
									>
										Accept the invitation of <UserText>{workspace.display_name}</UserText>
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
						rows={waiting.rows}
						idOf={({ payableId }) => payableId}
						empty="Nothing is waiting."
					/>
					<More {...waiting} />
				</section>

				<section aria-labelledby="payments">
					<h2 id="payments">Payments</h2>
					<Table
						caption="What you have been paid, newest first"
						columns={paymentColumns}
						rows={payments.rows}
						idOf={({ transferId }) => String(transferId)}
						empty="No payments yet. They appear here once a workspace has paid you."
					/>
					<More {...payments} />
				</section>
			</Live>
		</Page>
	);
};
