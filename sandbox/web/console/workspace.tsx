import type { WorkspaceView } from '../../domain/views';
import type { DepositRow } from '../../domain/deposits';
import type { PayableRow } from '../../domain/payables';
import type { FormState } from '../../ui/fields';
import { isClean } from '../../ui/form';
import { Live } from '../../ui/live';
import { Money, UserText } from '../../ui/text';
import { ConsolePage } from './frame';
import { DepositForm, Deposits, Fundings, type FundingDetails } from './money';
import { Partners, type PartnerDetails } from './partners';
import { Payables } from './payables';
import { workspacePath } from './workspaces';

/** Everything of one workspace. */
export interface WorkspaceDetails {
	workspace: WorkspaceView;
	partners: PartnerDetails[];
	payables: PayableRow[];
	fundings: FundingDetails[];
	deposits: DepositRow[];
}

/** One workspace: its wallet, partners, payables and money. */
export const WorkspacePage = (
	props: WorkspaceDetails & { notice?: string | undefined; form: FormState | undefined },
) => {
	const { workspace, notice, form } = props;
	return (
		<ConsolePage
			part="workspaces"
			title={`${isClean(form?.errors ?? {}) ? '' : 'Error: '}${workspace.displayName}`}
			heading={<UserText>{workspace.displayName}</UserText>}
			notice={notice}
		>
			<Live url={workspacePath(workspace.id)}>
				<dl class="facts">
					<div class="main">
						<dt>Wallet</dt>
						<dd>
							<Money amount={workspace.balance} />
						</dd>
					</div>
					<div>
						<dt>Buyer</dt>
						<dd>
							<UserText>{workspace.buyer}</UserText>
						</dd>
					</div>
					<div>
						<dt>Account number</dt>
						<dd>
							<code>{workspace.accountNumber}</code>
						</dd>
					</div>
					<div>
						<dt>Routing number</dt>
						<dd>
							<code>{workspace.routingNumber}</code>
						</dd>
					</div>
					<div class="long">
						<dt>Workspace ID</dt>
						<dd>
							<code>{workspace.id}</code>
						</dd>
					</div>
					<div class="long">
						<dt>Invite link</dt>
						<dd>
							<a href={workspace.inviteUrl}>{workspace.inviteUrl}</a>
						</dd>
					</div>
				</dl>
				<Partners partners={props.partners} />
				<Payables payables={props.payables} />
				<Fundings fundings={props.fundings} />
				<Deposits deposits={props.deposits} canSimulate={form !== undefined} />
			</Live>
			{form && <DepositForm workspaceId={workspace.id} {...form} />}
		</ConsolePage>
	);
};
