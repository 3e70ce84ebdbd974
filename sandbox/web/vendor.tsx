import type { FastifyInstance, FastifyRequest } from 'fastify';
import { balance, vendorWallet } from '../domain/ledger';
import { invitationsTo } from '../domain/partners';
import { withdraw } from '../domain/withdrawals';
import { findVendor, readiness, type VendorRow } from '../domain/vendors';
import { inviteUrl } from '../domain/workspaces';
import type { Network } from '../network/network';
import { HttpError } from '../shared/errors';
import { digest, matchesDigest } from '../shared/secrets';
import type { Row } from '../store/store';
import { minorUnits, object } from '../shared/jsonSchema';
import { formatDollars } from '../shared/money';
import { requireOwnOrigin } from '../http/origin';
import { ErrorSummary, Fields } from '../ui/fields';
import { formOf, isClean, queryOf, readForm, type Errors, type Values } from '../ui/form';
import { Live, Notice, Page, sendLivePage, sendPage } from '../ui/page';
import { Facts } from '../ui/table';
import { Badge, Money, UserText } from '../ui/text';
import { plainColumns } from './console/cells';
import { Rows, type List } from './console/rows';

/** Serves each vendor's own page, the only place that shows the wallet to its owner. */
export function serveVendor(
	app: FastifyInstance,
	network: Network,
	{ production }: { production: boolean },
): void {
	type OfVendor = { Params: { serviceId: string } };

	/** Knowing an address is not enough to see the wallet, nor, in production, the identifier that buyers know. */
	const requireOwner = (request: FastifyRequest<OfVendor>): VendorRow => {
		const { serviceId } = request.params;
		const vendor = findVendor(network, serviceId);
		const key = queryOf(request).get('key') ?? '';
		const isOwner = !production || matchesDigest(key, digest(vendor?.page_key ?? ''));
		if (vendor?.id !== serviceId || !isOwner) {
			throw new HttpError(404, 'not_found', 'The network has no vendor with this identifier.');
		}

		return vendor;
	};

	app.get<OfVendor>('/vendor/:serviceId', async (request, reply) => {
		const vendor = requireOwner(request);
		await sendLivePage(request, reply, network.store, () => (
			<VendorPage network={network} vendor={vendor} url={urlOf(request)} />
		));
	});

	const onlyFromHere = { onRequest: requireOwnOrigin };
	app.post<OfVendor>('/vendor/:serviceId', onlyFromHere, async (request, reply) => {
		const vendor = requireOwner(request);
		const url = urlOf(request);
		const values = formOf(request);
		const errors = withdrawAs(network, vendor, values);
		if (!isClean(errors)) {
			const page = { network, vendor, url, values, errors };
			await sendPage(reply, <VendorPage {...page} />, 422);
			return;
		}

		url.searchParams.set('withdrawn', values['amount'] ?? '');
		await reply.redirect(url.pathname + url.search, 303);
	});
}

const urlOf = (request: FastifyRequest): URL => new URL(request.url, 'http://localhost');

const withdrawal = object({ amount: minorUnits }, ['amount']);

/** Withdraws what a form says; answers what is wrong with it instead. */
function withdrawAs(network: Network, vendor: VendorRow, values: Values): Errors {
	const { input, errors } = readForm(withdrawal, values);
	if (!isClean(errors)) {
		return errors;
	}

	try {
		network.store.transaction(() => {
			// The schema has just been checked.
			withdraw(network, vendor, (input as { amount: number }).amount);
		});
	} catch (error) {
		if (error instanceof HttpError && error.code === 'insufficient_funds') {
			return { amount: 'Your wallet does not hold that much.' };
		}

		throw error;
	}

	return {};
}

/** Why an approved payable has not been paid, when the row says so. */
const obstacles: { isThere: (row: Row) => boolean; text: string }[] = [
	{
		isThere: ({ funding }) => funding === null,
		text: '{workspace} has not provided the money yet.',
	},
	{
		isThere: ({ funding }) => funding === 'awaiting_deposit',
		text: 'The bank transfer of {workspace} has not arrived yet.',
	},
	{
		isThere: ({ must_accept, accepted_at }) => must_accept === 1 && accepted_at === null,
		text: 'You have not accepted the invitation of {workspace} yet.',
	},
	{
		isThere: ({ verified }) => verified !== 1,
		text: 'You are not verified yet.',
	},
	{
		isThere: ({ expired_at }) => expired_at !== null,
		text: 'Your tax form has expired. Renew it to be paid.',
	},
];

function reasonsOf(row: Row): string[] {
	if (row['status'] === 'will_pay') {
		return ['The money is set aside for you and on its way.'];
	}

	const workspace = String(row['workspace']);
	return obstacles
		.filter(({ isThere }) => isThere(row))
		.map(({ text }) => text.replace('{workspace}', () => workspace));
}

const waiting = ({ settings }: Network): List => ({
	caption: 'Approved for you and not paid yet',
	listing: {
		columns: `workspaces.display_name AS workspace, payables.description, payables.due_date,
			payables.amount, payables.status, fundings.status AS funding, accepted_at,
			${settings.values.acceptance === 'required'} AS must_accept,
			vendors.status = 'verified' AS verified, vendors.tax_form_expired_at AS expired_at`,
		from: `payables JOIN workspaces ON workspaces.id = payables.workspace_id
			LEFT JOIN fundings ON fundings.id =
				(SELECT funding_id FROM allocations WHERE payable_id = payables.id ORDER BY id DESC LIMIT 1)
			LEFT JOIN vendors ON vendors.email = payables.payee_email
			LEFT JOIN partners ON partners.workspace_id = payables.workspace_id
				AND partners.email = payables.payee_email`,
		key: 'payables.rowid',
		where: "payables.status IN ('approved', 'will_pay')",
		search: [],
		filters: { email: 'payables.payee_email' },
	},
	columns: () => [
		...plainColumns({ workspace: 'From', description: 'For', due_date: 'Due' }),
		{
			name: 'Why it waits',
			cell: (row) => (
				<ul class="plain">
					{reasonsOf(row).map((reason) => (
						<li key={reason}>
							<UserText>{reason}</UserText>
						</li>
					))}
				</ul>
			),
		},
		...plainColumns({ amount: 'Amount' }),
	],
	empty: 'Nothing is waiting.',
});

const payments: List = {
	caption: 'What you have been paid, newest first',
	listing: {
		columns: `transfers.created_at AS paid_at, workspaces.display_name AS workspace,
			payables.description, entries.amount`,
		// Counting needs none of the joined tables, and leaves them out.
		from: `entries LEFT JOIN transfers ON transfers.id = transfer_id
			LEFT JOIN payables ON payables.id = transfers.reference
			LEFT JOIN workspaces ON workspaces.id = payables.workspace_id`,
		key: 'entries.id',
		where: 'entries.amount > 0',
		search: [],
		filters: { account: 'account' },
	},
	columns: () =>
		plainColumns({ paid_at: 'Paid', workspace: 'From', description: 'For', amount: 'Amount' }),
	empty: 'No payments yet. They appear here once a workspace has paid you.',
};

const withdrawals: List = {
	caption: 'What you have withdrawn, newest first',
	listing: {
		columns: 'created_at AS withdrawn_at, -entries.amount AS amount',
		from: 'entries LEFT JOIN transfers ON transfers.id = transfer_id',
		key: 'entries.id',
		where: 'entries.amount < 0',
		search: [],
		filters: { account: 'account' },
	},
	columns: () => plainColumns({ withdrawn_at: 'Withdrawn', amount: 'Amount' }),
	empty: 'You have withdrawn nothing yet.',
};

/** The money that can be withdrawn, and how: buyers do not hear of it. */
const Withdraw = (props: {
	action: string;
	available: number;
	values?: Values | undefined;
	errors?: Errors | undefined;
}) => {
	const { action, available, values, errors } = props;
	if (available === 0) {
		return <p class="empty">There is nothing to withdraw.</p>;
	}

	return (
		<form method="post" action={action} class="row" novalidate>
			<Fields
				schema={withdrawal}
				values={values ?? { amount: formatDollars(available).slice(1) }}
				errors={errors}
			/>
			<button>Withdraw</button>
		</form>
	);
};

const VendorPage = (props: {
	network: Network;
	vendor: VendorRow;
	/** The address that was asked for. */
	url: URL;
	values?: Values;
	errors?: Errors;
}) => {
	const { network, vendor, url, values, errors = {} } = props;
	const withdrawn = url.searchParams.get('withdrawn');
	url.searchParams.delete('withdrawn');

	const own = url.pathname + url.search;
	const name = vendor.business_name ?? vendor.email;
	const invitations = invitationsTo(network, vendor.email);
	const status = readiness(vendor);
	const account = vendorWallet(vendor.id);
	const available = balance(network, account);
	const shared = { store: network.store, limit: 100, back: '' };
	return (
		<Page
			title={isClean(errors) ? name : `Error: ${name}`}
			heading={<UserText>{name}</UserText>}
			width="wide"
			live
		>
			<ErrorSummary errors={errors} />
			<Notice>{withdrawn !== null && 'Your withdrawal is on its way to your bank.'}</Notice>
			<Live url={own}>
				<Facts
					facts={{
						'In your wallet': <Money amount={available} />,
						Status: <Badge state={status} />,
						'E-mail address': <UserText>{vendor.email}</UserText>,
					}}
				/>
				{status === 'tax_form_expired' && (
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
					<Rows
						{...shared}
						list={waiting(network)}
						name="waiting"
						query={new URLSearchParams({ email: vendor.email })}
					/>
				</section>
				<section aria-labelledby="payments">
					<h2 id="payments">Payments</h2>
					<Rows
						{...shared}
						list={payments}
						name="payments"
						query={new URLSearchParams({ account })}
					/>
				</section>
				<section aria-labelledby="withdraw">
					<h2 id="withdraw">Withdraw</h2>
					<Withdraw action={own} available={available} values={values} errors={errors} />
					<Rows
						{...shared}
						list={withdrawals}
						name="withdrawals"
						query={new URLSearchParams({ account })}
					/>
				</section>
			</Live>
		</Page>
	);
};
