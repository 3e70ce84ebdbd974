import type { Network } from '../../network/network';
import type { PayableTotal } from '../../domain/payables';
import type { DeliveryState } from '../../deliveries/queue';
import { STRUCK } from '../../http/requestLog';
import { consolePath } from './frame';

interface Step {
	name: string;
	href: string;
	isDone: boolean;
}

export interface Facts {
	payables: PayableTotal[];
	deliveries: Record<DeliveryState, number>;
}

/** What a person does first, and whether it has been done: by whom and how makes no difference. */
function stepsOf({ store }: Network, { payables, deliveries }: Facts): Step[] {
	const [workspace] = store.all<{ id: string }>('SELECT id FROM workspaces ORDER BY rowid LIMIT 1');
	const buyer = consolePath(workspace === undefined ? 'workspaces' : `workspaces/${workspace.id}`);
	const [draft = 0, approved = 0, willPay = 0, paid = 0] = payables.map(({ count }) => count);
	const all = draft + approved + willPay + paid;
	const hasToken = store.has(
		`SELECT 1 FROM log.entries
		WHERE kind = 'request' AND name = 'requestToken' AND status_class = '2xx'`,
	);

	return [
		{
			name: 'Get a token',
			href: consolePath('requests', { operation: 'requestToken' }),
			isDone:
				hasToken ||
				store.has('SELECT 1 FROM moves WHERE actor <> $sandbox', {
					sandbox: 'sandbox',
				}),
		},
		{ name: 'Create a payable', href: `${buyer}#create`, isDone: all > 0 },
		{ name: 'Approve it', href: consolePath('payables', { status: 'draft' }), isDone: all > draft },
		{
			name: 'Fund it',
			href: consolePath('payables', { status: 'approved' }),
			isDone: store.has('SELECT 1 FROM fundings'),
		},
		{
			name: 'See it paid',
			href: consolePath('payables', { status: 'paid' }),
			isDone: paid > 0,
		},
		{
			name: 'Subscribe to events',
			href: `${buyer}#subscribe`,
			isDone: store.has('SELECT 1 FROM subscriptions'),
		},
		{
			name: 'Receive an event',
			href: consolePath('deliveries'),
			isDone: deliveries.delivered > 0,
		},
		{
			name: 'See a fault',
			href: consolePath('faults'),
			isDone: store.has("SELECT 1 FROM log.mentions WHERE subject = $struck AND kind = 'request'", {
				struck: STRUCK,
			}),
		},
	];
}

/** The first steps, which tick themselves off. */
export const FirstSteps = ({ network, facts }: { network: Network; facts: Facts }) => {
	const steps = stepsOf(network, facts);
	const done = steps.filter(({ isDone }) => isDone).length;
	const next = steps.find(({ isDone }) => !isDone);
	return (
		<>
			<ol class="steps">
				{steps.map((step) => (
					<li key={step.name} class={step.isDone ? 'done' : undefined}>
						<span class="tick" aria-hidden="true" />
						<a href={step.href}>{step.name}</a>
						<span class="note">
							{step.isDone && 'done'}
							{step === next && 'next'}
						</span>
					</li>
				))}
			</ol>
			<p class="note">{`${done} of ${steps.length} done.`}</p>
		</>
	);
};
