import type { PartnerRow } from '../../domain/partners';
import type { VendorStatus } from '../../domain/vendors';
import { Table, type Column } from '../../ui/table';
import { Badge, When, Words } from '../../ui/text';

/** A partner of a workspace, with what the network says of the vendor behind it. */
export interface ShownPartner {
	partner: PartnerRow;
	/** Undefined for somebody who has never signed up. */
	vendor: { id: string; status: VendorStatus } | undefined;
}

/** Which verdicts can still be given. */
const verdicts: Record<VendorStatus, ('verify' | 'reject')[]> = {
	pending: ['verify', 'reject'],
	rejected: ['verify'],
	verified: [],
};
const words = { verify: 'Verify', reject: 'Reject' };

const Decide = ({ partner, vendor }: ShownPartner) => {
	if (vendor === undefined) return <span class="note">has not signed up yet</span>;
	if (verdicts[vendor.status].length === 0) return <span class="note">nothing to decide</span>;
	return (
		<div class="actions">
			{verdicts[vendor.status].map((verdict) => (
				<form method="post" action={`${partner.workspace_id}/${verdict}`} key={verdict}>
					<input type="hidden" name="vendor" value={vendor.id} />
					<button class={verdict === 'reject' ? 'small second' : 'small'}>
						{words[verdict]}
						<span class="unseen"> {partner.business_name ?? partner.email}</span>
					</button>
				</form>
			))}
		</div>
	);
};

const columns: Column<ShownPartner>[] = [
	{ name: 'E-mail address', cell: ({ partner: { email } }) => <Words>{email}</Words> },
	{
		name: 'Name',
		cell: ({ partner: { business_name: name } }) =>
			name === null ? <span class="note">not known</span> : <Words>{name}</Words>,
	},
	{ name: 'Status', cell: ({ partner: { status } }) => <Badge state={status} /> },
	{ name: 'Since', cell: ({ partner: { created_at: at } }) => <When at={at} /> },
	{ name: 'Verdict of the network', cell: Decide },
];

/** The vendors that a workspace pays. */
export const Partners = ({ partners }: { partners: ShownPartner[] }) => (
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
