import { VENDOR_STATUS } from '../../domain/partners';
import { vendorPage } from '../../domain/vendors';
import type { Row } from '../../store/store';
import type { Column } from '../../ui/table';
import { UserText } from '../../ui/text';
import { cellOf, plainColumns, str } from './cells';
import { Act } from './frame';
import type { List } from './rows';

interface Decision {
	route: 'verifyVendor' | 'rejectVendor' | 'setTaxForm';
	label: string;
	input?: Record<string, string>;
}

/** What can be decided about a vendor now, by its state in the network. */
const decisions: Record<string, Decision[]> = {
	pending: [
		{ route: 'verifyVendor', label: 'Verify' },
		{ route: 'rejectVendor', label: 'Reject' },
	],
	rejected: [{ route: 'verifyVendor', label: 'Verify' }],
	verified: [{ route: 'setTaxForm', label: 'Expire tax form', input: { status: 'expired' } }],
	tax_form_expired: [{ route: 'setTaxForm', label: 'Renew tax form', input: { status: 'valid' } }],
};

const VendorActions = ({ row, back }: { row: Row; back: string }) => {
	const about = str(row, 'name') || str(row, 'email');
	const invited = { workspaceId: str(row, 'workspace_id'), email: str(row, 'email') };
	const vendor = str(row, 'vendor_id');
	return (
		<div class="actions">
			{row['status'] === 'invited' && (
				<Act
					route="acceptInvitation"
					label="Accept for this vendor"
					input={invited}
					about={about}
					back={back}
				/>
			)}
			{decisions[str(row, 'network_status')]?.map(({ route, label, input }) => (
				<Act
					key={label}
					route={route}
					label={label}
					about={about}
					back={back}
					second={route !== 'verifyVendor'}
					input={{ vendor, ...input }}
				/>
			))}
		</div>
	);
};

const vendorColumns = (back: string): Column<Row>[] => [
	...plainColumns({ email: 'E-mail address' }),
	{
		name: 'Name',
		cell: (row) =>
			row['vendor_id'] === null ? (
				cellOf('name', row['name'])
			) : (
				<a href={vendorPage(str(row, 'vendor_id'), str(row, 'page_key'))}>
					<UserText>{str(row, 'name') || str(row, 'email')}</UserText>
				</a>
			),
	},
	...plainColumns({ status: 'Status', created_at: 'Since' }),
	{
		name: 'Decision of the network',
		wide: true,
		cell: (row) => <VendorActions row={row} back={back} />,
	},
];

export const vendorLists = {
	vendors: {
		caption: 'Vendors of the network',
		listing: {
			columns: `vendors.id AS vendor_id, page_key, email, business_name AS name, created_at,
				${VENDOR_STATUS} AS status, ${VENDOR_STATUS} AS network_status`,
			from: 'vendors',
			key: 'vendors.rowid',
			search: ['vendors.id', 'email', "COALESCE(business_name, '')"],
			filters: { status: VENDOR_STATUS },
		},
		choices: { status: ['pending', 'verified', 'rejected', 'tax_form_expired'] },
		columns: vendorColumns,
		empty: 'No vendors yet. Invite one with the node.',
	},
	partners: {
		caption: 'Vendors that a workspace has invited or who have joined it',
		listing: {
			columns: `workspace_id, partners.email, vendors.id AS vendor_id, page_key,
				COALESCE(partners.business_name, vendors.business_name) AS name, partners.created_at,
				iif(accepted_at IS NULL, 'invited', ${VENDOR_STATUS}) AS status,
				${VENDOR_STATUS} AS network_status`,
			from: 'partners LEFT JOIN vendors ON vendors.email = partners.email',
			key: 'partners.rowid',
			search: ['partners.email', "COALESCE(partners.business_name, vendors.business_name, '')"],
			filters: { workspace: 'workspace_id' },
		},
		columns: vendorColumns,
		empty: 'No partners yet. Invite one with the node, or open the invite link and sign up.',
	},
} satisfies Record<string, List>;
