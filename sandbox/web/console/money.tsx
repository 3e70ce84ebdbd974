import type { DepositRow } from '../../domain/deposits';
import type { FundingRow } from '../../domain/fundings';
import { Table, type Column } from '../../ui/table';
import { Badge, counted, Description, Money, Timestamp } from '../../ui/text';
import { ErrorSummary, TextField, type FormState } from '../../ui/fields';

/** A funding, with where its invoice is. */
export interface FundingDetails {
	funding: FundingRow;
	/** How many payables it is for. */
	payables: number;
	invoiceUrl: string | undefined;
}

const fundingColumns: Column<FundingDetails>[] = [
	{ name: 'Funding', cell: ({ funding }) => <code>{funding.id}</code> },
	{
		name: 'Description',
		cell: ({ funding }) => <Description text={funding.description} />,
	},
	{ name: 'Status', cell: ({ funding: { status } }) => <Badge state={status} /> },
	{
		name: 'Pays',
		cell: ({ payables }) => counted(payables, 'payable'),
	},
	{
		name: 'By',
		cell: ({ funding, invoiceUrl }) =>
			invoiceUrl === undefined ? (
				'wallet'
			) : (
				<a href={invoiceUrl}>
					Invoice (PDF)<span class="visually-hidden"> of {funding.id}</span>
				</a>
			),
	},
	{ name: 'Created', cell: ({ funding: { created_at: at } }) => <Timestamp at={at} /> },
	{ name: 'Amount', numeric: true, cell: ({ funding: { amount } }) => <Money amount={amount} /> },
];

/** How a workspace has provided money, newest first. */
export const Fundings = ({ fundings }: { fundings: FundingDetails[] }) => (
	<section aria-labelledby="fundings">
		<h2 id="fundings">Fundings</h2>
		<Table
			caption="Money provided for payables, newest first"
			columns={fundingColumns}
			rows={fundings}
			idOf={({ funding }) => funding.id}
			empty="No fundings yet. Approve a payable, then fund it with the node."
		/>
	</section>
);

const depositColumns: Column<DepositRow>[] = [
	{ name: 'Deposit', cell: ({ id }) => <code>{id}</code> },
	{ name: 'Received', cell: ({ received_at: at }) => <Timestamp at={at} /> },
	{ name: 'Amount', numeric: true, cell: ({ amount }) => <Money amount={amount} /> },
];

/** Bank transfers that no invoice has claimed. */
export const Deposits = (props: { deposits: DepositRow[]; canSimulate: boolean }) => (
	<section aria-labelledby="deposits">
		<h2 id="deposits">Unlinked deposits</h2>
		<Table
			caption="Bank transfers that belong to no funding yet, newest first"
			columns={depositColumns}
			rows={props.deposits}
			idOf={({ id }) => id}
			empty={`No unlinked deposits.${props.canSimulate ? ' Simulate a deposit below.' : ''}`}
		/>
	</section>
);

/** Lets a bank transfer arrive. It is outside of the part that renews itself. */
export const DepositForm = ({ workspaceId, ...form }: FormState & { workspaceId: string }) => (
	<section aria-labelledby="deposit">
		<h2 id="deposit">Simulate a deposit</h2>
		<ErrorSummary errors={form.errors} />
		<form method="post" action={`${workspaceId}/deposit`} class="row" novalidate>
			<TextField
				{...form}
				name="amount"
				label="Amount in dollars"
				hint="For example 1,234.56. It arrives in the wallet at once."
				inputMode="decimal"
				maxLength={40}
			/>
			<button>Let it arrive</button>
		</form>
	</section>
);
