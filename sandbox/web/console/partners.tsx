import type { PartnerRow } from '../../domain/partners';
import type { VendorStatus } from '../../domain/vendors';
import { Table, type Column } from '../../ui/table';
import { Badge, Timestamp, UserText } from '../../ui/text';

/** A partner of a workspace, with what the network says of the vendor behind it. */
export interface PartnerDetails {
	partner: PartnerRow;
	/** Undefined for somebody who has never signed up. */
	vendor: { id: string; status: VendorStatus } | undefined;
}

/** Which decisions are still possible. */
const decisions: Record<VendorStatus, ('verify' | 'reject')[]> = {
	pending: ['verify', 'reject'],
	rejected: ['verify'],
	verified: [],
};
const labels = { verify: 'Verify', reject: 'Reject' };

const ReviewActions = ({ partner, vendor }: PartnerDetails) => {
	if (vendor === undefined) return <span class="note">has not signed up yet</span>;
	if (decisions[vendor.status].length === 0) return <span class="note">nothing to decide</span>;
	return (
		<div class="actions">
			{decisions[vendor.status].map((decision) => (
				<form method="post" action={`${partner.workspace_id}/${decision}`} key={decision}>
					<input type="hidden" name="vendor" value={vendor.id} />
					<button class={decision === 'reject' ? 'small second' : 'small'}>
						{labels[decision]}
						<span class="visually-hidden"> {partner.business_name ?? partner.email}</span>
					</button>
				</form>
			))}
		</div>
	);
};

const columns: Column<PartnerDetails>[] = [
	{ name: 'E-mail address', cell: ({ partner: { email } }) => <UserText>{email}</UserText> },
	{
		name: 'Name',
		cell: ({ partner: { business_name: name } }) =>
			name === null ? <span class="note">not known</span> : <UserText>{name}</UserText>,
	},
	{ name: 'Status', cell: ({ partner: { status } }) => <Badge state={status} /> },
	{ name: 'Since', cell: ({ partner: { created_at: at } }) => <Timestamp at={at} /> },
	{ name: 'Decision of the network', cell: ReviewActions },
];

/** The vendors that a workspace pays. */
export const Partners = ({ partners }: { partners: PartnerDetails[] }) => (
	<section aria-labelledby="partners">
		<h2 id="partners">Partners</h2>
		<Table
			caption="Vendors this workspace has invited or who have joined it"
			columns={columns}
			rows={partners}
			idOf={({ partner }) => partner.id}
			empty="No partners yet. Invite one with the node, or open the invite link and sign up."
		/>
	</section>
);
