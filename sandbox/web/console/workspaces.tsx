import type { ComponentChildren } from 'preact';
import { payableTotals, unfundedPayables, type PayableTotal } from '../../domain/payables';
import { workspaceViews, type WorkspaceView } from '../../domain/networkViews';
import { workspaceWallet } from '../../domain/ledger';
import { eventTypes } from '../../network/events';
import type { Network } from '../../network/network';
import { HttpError } from '../../shared/errors';
import { Live } from '../../ui/page';
import { Card, Facts, Table } from '../../ui/table';
import { counted, Money, nameOfState, UserText } from '../../ui/text';
import { RouteForm } from './actions';
import { BuyerForm } from './buyer';
import { linked, plainColumns } from './cells';
import { ConsolePage, consolePath, pathOf, type PageRequest } from './frame';
import { ListTable, type ListName } from './lists';

const columns = [
	linked<WorkspaceView>('Workspace', 'workspaces/{id}', 'displayName'),
	...plainColumns<WorkspaceView>({
		id: 'ID',
		buyer: 'Buyer',
		balance: 'Wallet',
		accountNumber: 'Account',
		routingNumber: 'Routing',
	}),
	{
		name: 'Invite link',
		cell: ({ inviteUrl, displayName }: WorkspaceView) => (
			<a href={inviteUrl}>
				Invite link<span class="visually-hidden"> of {displayName}</span>
			</a>
		),
	},
];

export const WorkspacesPage = ({ context, url }: PageRequest) => (
	<ConsolePage context={context} part="workspaces" url={url}>
		<p>Choose a workspace to see its partners, payables and money.</p>
		<Live url={pathOf(url)}>
			<Table
				caption="All workspaces of this sandbox"
				columns={columns}
				rows={workspaceViews(context.network)}
				idOf={({ id }) => id}
				empty="No workspaces. Reset the sandbox to start over."
			/>
		</Live>
	</ConsolePage>
);

const Total = ({ id, status, amount, count }: PayableTotal & { id: string }) => (
	<a href={consolePath('payables', { workspace: id, status })}>
		<Money amount={amount} />
		<span class="note"> {counted(count, 'payable')}</span>
	</a>
);

/** The payables of a workspace by their states. */
const totalsOf = (network: Network, id: string): Record<string, ComponentChildren> =>
	Object.fromEntries(
		payableTotals(network, id).map((total) => [
			nameOfState(total.status),
			<Total key={total.status} {...total} id={id} />,
		]),
	);

const sections: { name: ListName; title: string }[] = [
	{ name: 'partners', title: 'Partners' },
	{ name: 'payables', title: 'Payables' },
	{ name: 'fundings', title: 'Fundings' },
	{ name: 'deposits', title: 'Deposits' },
	{ name: 'subscriptions', title: 'Subscriptions' },
];

/** One workspace: its wallet, and the newest of its partners, payables and money. */
export const WorkspacePage = ({ context, url, id }: PageRequest) => {
	const { network, routes, production } = context;
	const [workspace] = workspaceViews(network, id);
	if (workspace === undefined) {
		throw new HttpError(404, 'not_found', 'This sandbox has no such workspace, or not any more.');
	}

	const query = new URLSearchParams({ workspace: id });
	const back = pathOf(url);
	const account = workspaceWallet(id);
	const buyer = { network, workspace: id, back };
	const fundable = unfundedPayables(network, id, 1).length;
	return (
		<ConsolePage
			context={context}
			part="workspaces"
			title={workspace.displayName}
			url={url}
			heading={<UserText>{workspace.displayName}</UserText>}
		>
			<Live url={back}>
				<Facts
					facts={{
						Wallet: (
							<a href={consolePath('wallet', { account })}>
								<Money amount={workspace.balance} />
								<span class="visually-hidden"> history</span>
							</a>
						),
						Buyer: <UserText>{workspace.buyer}</UserText>,
						'Account number': <code>{workspace.accountNumber}</code>,
						'Routing number': <code>{workspace.routingNumber}</code>,
					}}
				/>
				<Facts
					facts={{
						'Workspace ID': <code>{workspace.id}</code>,
						'Invite link': <a href={workspace.inviteUrl}>{workspace.inviteUrl}</a>,
					}}
				/>
				<div class="dashboard">
					<div>
						<Card id="invite" title="Invite a vendor">
							<BuyerForm {...buyer} name="invitePartners" />
						</Card>
						{!production && (
							<Card id="deposit" title="Simulate a deposit">
								<RouteForm
									name="deposit"
									route={routes.deposit}
									button="Let it arrive"
									back={back}
									values={{ workspaceId: id }}
									hidden={['workspaceId']}
								/>
							</Card>
						)}
						<Card id="subscribe" title="Subscribe to events">
							<BuyerForm
								{...buyer}
								name="createWebhookSubscription"
								values={{ events: eventTypes.join('\n') }}
							/>
						</Card>
					</div>
					<div class="wide">
						<Card id="create" title="Create a payable">
							<BuyerForm {...buyer} name="createPayable" />
						</Card>
						<Card id="fund" title="Fund payables together">
							{fundable === 0 ? (
								<p class="empty">No approved payable waits for a funding.</p>
							) : (
								<BuyerForm {...buyer} name="createFunding" values={{ method: 'balance' }} />
							)}
						</Card>
					</div>
				</div>
				{sections.map(({ name, title }) => (
					<section key={name} aria-labelledby={name}>
						<h2 id={name}>{title}</h2>
						{name === 'payables' && <Facts facts={totalsOf(network, id)} />}
						<ListTable
							store={network.store}
							name={name}
							query={query}
							limit={10}
							back={back}
							all={consolePath(name, { workspace: id })}
						/>
					</section>
				))}
			</Live>
		</ConsolePage>
	);
};
