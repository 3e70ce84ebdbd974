import type { PayableRow } from '../../domain/payables';
import { Table, type Column } from '../../ui/table';
import { counted, Description, Money, Timestamp, UserText } from '../../ui/text';

/** The states in the order in which a payable goes through them. */
const states: [status: PayableRow['status'], name: string, meaning: string][] = [
	['draft', 'Draft', 'Waiting for approval'],
	['approved', 'Approved', 'Waiting for the money, or for the vendor'],
	['will_pay', 'Will pay', 'The money is set aside and on its way'],
	['paid', 'Paid', 'The vendor has the money'],
];

const columns: Column<PayableRow>[] = [
	{ name: 'Payable', cell: ({ id }) => <code>{id}</code> },
	{ name: 'Payee', cell: ({ payee_email: payee }) => <UserText>{payee}</UserText> },
	{
		name: 'For',
		cell: ({ description }) => <Description text={description} />,
	},
	{ name: 'Changed', cell: ({ updated_at: at }) => <Timestamp at={at} /> },
	{ name: 'Amount', numeric: true, cell: ({ amount }) => <Money amount={amount} /> },
];

/** BigInt, because the sum of exact numbers need not be one. */
const total = (payables: PayableRow[]): bigint =>
	payables.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** What a workspace owes and has paid, newest first in every state. */
export const Payables = ({ payables }: { payables: PayableRow[] }) => {
	const grouped = states.map(([status, name, meaning]) => ({
		...{ status, name, meaning },
		rows: payables.filter((payable) => payable.status === status).reverse(),
	}));
	return (
		<section aria-labelledby="payables">
			<h2 id="payables">Payables</h2>
			{payables.length === 0 ? (
				<p class="empty">No payables yet. Create one with the node.</p>
			) : (
				<>
					<dl class="facts">
						{grouped.map(({ status, name, rows }) => (
							<div key={status}>
								<dt>{name}</dt>
								<dd>
									<Money amount={total(rows)} />
									<span class="note"> {counted(rows.length, 'payable')}</span>
								</dd>
							</div>
						))}
					</dl>
					{grouped
						.filter(({ rows }) => rows.length > 0)
						.map(({ status, name, meaning, rows }) => (
							<section key={status} id={`payables-${status}`} aria-labelledby={`heading-${status}`}>
								<h3 id={`heading-${status}`}>{name}</h3>
								<Table
									caption={meaning}
									columns={columns}
									rows={rows}
									idOf={({ id }) => id}
									empty=""
								/>
							</section>
						))}
				</>
			)}
		</section>
	);
};
