import { formatDollars } from '../../shared/money';
import type { Row } from '../../store/store';
import { plainColumns, str } from './cells';
import { Act, Buy } from './frame';
import type { List } from './rows';

const nothing = <span class="note none">none</span>;

/** What the buyer can do with a payable now. */
const NextOfPayable = ({ row, back }: { row: Row; back: string }) => {
	const payable = str(row, 'id');
	const workspace = str(row, 'workspace_id');
	const shared = { about: payable, back };
	if (row['status'] === 'draft') {
		return <Buy {...shared} call="approvePayable" label="Approve" input={{ workspace, payable }} />;
	}

	if (row['status'] !== 'approved' || row['funded'] === 1) {
		return nothing;
	}

	const input = { workspace, payables: payable };
	return (
		<div class="actions">
			<Buy {...shared} call="createFunding" label="Fund" input={{ ...input, method: 'balance' }} />
			<Buy
				{...shared}
				call="createFunding"
				label="Fund by invoice"
				second={true}
				input={{ ...input, method: 'invoice' }}
			/>
		</div>
	);
};

/** What an invoice waits for: its deposit, and then the link. */
const NextOfFunding = ({ row, back }: { row: Row; back: string }) => {
	const funding = str(row, 'id');
	const workspace = str(row, 'workspace_id');
	if (row['status'] !== 'awaiting_deposit') {
		return nothing;
	}

	const deposit = str(row, 'deposit');
	if (deposit !== '') {
		return (
			<Buy
				call="linkDeposit"
				label="Link the deposit"
				about={funding}
				back={back}
				input={{ workspace, funding, deposit }}
			/>
		);
	}

	return (
		<Act
			route="deposit"
			label="Let the deposit arrive"
			about={funding}
			back={back}
			second={true}
			input={{ workspaceId: workspace, amount: formatDollars(Number(row['amount'])) }}
		/>
	);
};

export const moneyLists = {
	payables: {
		caption: 'Payables, newest first',
		listing: {
			columns: `id, payee_email, description, status, updated_at, amount, workspace_id,
				EXISTS (SELECT 1 FROM allocations WHERE payable_id = payables.id) AS funded`,
			from: 'payables',
			key: 'payables.rowid',
			search: ['id', 'payee_email', "COALESCE(description, '')"],
			filters: { workspace: 'workspace_id', status: 'status' },
			sorts: { amount: 'amount' },
		},
		choices: { status: ['draft', 'approved', 'will_pay', 'paid'] },
		columns: (back) => [
			...plainColumns({
				id: 'Payable',
				payee_email: 'Payee',
				description: 'For',
				status: 'Status',
				updated_at: 'Changed',
				amount: 'Amount',
			}),
			{ name: 'Next', wide: true, cell: (row) => <NextOfPayable row={row} back={back} /> },
		],
		empty: 'No payables yet. Create one with the node, or on the page of a workspace.',
	},
	fundings: {
		caption: 'Fundings, newest first',
		listing: {
			columns: `id, description, status, method, created_at, amount,
				workspace_id,
				(SELECT count(*) FROM allocations WHERE funding_id = fundings.id) AS payables,
				(SELECT min(id) FROM deposits WHERE workspace_id = fundings.workspace_id
					AND funding_id IS NULL AND amount = fundings.amount) AS deposit`,
			from: 'fundings',
			key: 'fundings.rowid',
			search: ['id', "COALESCE(description, '')", "COALESCE(po_number, '')"],
			filters: { workspace: 'workspace_id', status: 'status' },
			sorts: { amount: 'amount' },
		},
		choices: { status: ['awaiting_deposit', 'funded'] },
		columns: (back) => [
			...plainColumns({
				id: 'Funding',
				description: 'For',
				status: 'Status',
				payables: 'Payables',
				method: 'By',
				created_at: 'Created',
				amount: 'Amount',
			}),
			{ name: 'Next', wide: true, cell: (row) => <NextOfFunding row={row} back={back} /> },
		],
		empty: 'No fundings yet. Approve a payable, then fund it with the node, or here.',
	},
	deposits: {
		caption: 'Bank transfers that have arrived, newest first',
		listing: {
			columns: `id, received_at, amount, funding_id,
				CASE WHEN funding_id IS NULL THEN 'unlinked' ELSE 'linked' END AS status`,
			from: 'deposits',
			key: 'deposits.rowid',
			search: ['id'],
			filters: { workspace: 'workspace_id' },
			sorts: { amount: 'amount' },
		},
		columns: () =>
			plainColumns({
				id: 'Deposit',
				status: 'Status',
				funding_id: 'Funding',
				received_at: 'Received',
				amount: 'Amount',
			}),
		empty: 'No deposits yet.',
	},
	wallet: {
		caption: 'What has come into a wallet and gone out of it, newest first',
		listing: {
			columns: 'kind, reference, entries.amount, created_at',
			from: 'entries JOIN transfers ON transfers.id = transfer_id',
			key: 'entries.id',
			// What a vendor does with the money is not for the buyer's console.
			where: "account >= 'workspace:' AND account < 'workspace;'",
			search: ['reference', 'kind'],
			filters: { account: 'account' },
		},
		columns: () =>
			plainColumns({ kind: 'What', reference: 'About', created_at: 'At', amount: 'Amount' }),
		empty: 'Nothing has come in or gone out.',
	},
} satisfies Record<string, List>;
