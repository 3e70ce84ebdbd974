import { countDeliveries } from '../../deliveries/deliveryViews';
import type { DeliveryState } from '../../deliveries/queue';
import { moneyFlow } from '../../domain/moneyFlow';
import { payableTotals, type PayableTotal } from '../../domain/payables';
import type { RequestLog } from '../../http/requestLog';
import type { Outcome } from '../../http/requestRates';
import type { Network } from '../../network/network';
import { formatDollars } from '../../shared/money';
import { Flow, Legend, Segments, Stacks, type Share, type Tone } from '../../ui/charts';
import { Live } from '../../ui/page';
import { Card } from '../../ui/table';
import { counted, formatShare, Money, nameOfState } from '../../ui/text';
import { Connect } from './connect';
import { FirstSteps } from './firstSteps';
import { ConsolePage, consolePath, pathOf, type PageRequest } from './frame';

const moneyShare = (name: string, value: number, tone: Tone): Share => ({
	name,
	value,
	text: formatDollars(value),
	tone,
});

const MoneyCard = ({ network }: { network: Network }) => {
	const { deposited, paid, waiting, left } = moneyFlow(network);
	return (
		<Card id="money" title="Money">
			{deposited === 0 ? (
				<p class="empty">No money yet. Let a deposit arrive on the page of a workspace.</p>
			) : (
				<Flow
					whole={moneyShare('Deposited', deposited, 'plain')}
					parts={[
						moneyShare('Paid to vendors', paid, 'good'),
						moneyShare('Waiting', waiting, 'open'),
						moneyShare('Left in wallets', left, 'plain'),
					]}
				/>
			)}
		</Card>
	);
};

const toneOfState: Record<PayableTotal['status'], Tone> = {
	draft: 'plain',
	approved: 'open',
	will_pay: 'open',
	paid: 'good',
};

const PayablesCard = ({ totals }: { totals: PayableTotal[] }) => {
	const all = totals.reduce((sum, { count }) => sum + count, 0);
	return (
		<Card id="payables" title="Payables by state">
			<ul class="bars">
				{totals.map(({ status, count, amount }) => (
					<li key={status}>
						<a href={consolePath('payables', { status })}>{nameOfState(status)}</a>
						<span class="number">
							<strong>{count.toLocaleString('en-US')}</strong>{' '}
							<span class="note">
								<Money amount={amount} />
							</span>
						</span>
						<Segments
							label={`${nameOfState(status)}: ${counted(count, 'payable')}`}
							parts={[
								{ name: status, value: count, text: '', tone: toneOfState[status] },
								{ name: 'others', value: all - count, text: '', tone: 'track' },
							]}
						/>
					</li>
				))}
			</ul>
		</Card>
	);
};

const MINUTES = 30;

const outcomes: { outcome: Outcome; name: string; tone: Tone }[] = [
	{ outcome: 'answered', name: 'Answered', tone: 'good' },
	{ outcome: 'refused', name: 'Refused (4xx)', tone: 'open' },
	{ outcome: 'failed', name: 'Failed (5xx, or no answer)', tone: 'bad' },
];

const RequestsCard = ({ log }: { log: RequestLog }) => {
	const minutes = log.rates.last(MINUTES);
	const parts = outcomes.map(({ outcome, name, tone }) => {
		const value = minutes.reduce((sum, minute) => sum + minute[outcome], 0);
		return { name, value, text: value.toLocaleString('en-US'), tone };
	});

	const told = parts.map(({ name, text }) => `${name} ${text}`).join(', ');
	return (
		<Card id="requests" title="Requests a minute">
			<Stacks
				label={`Requests of the last ${MINUTES} minutes: ${told}`}
				first={`${MINUTES} minutes ago`}
				last="now"
				stacks={minutes.map((minute) => ({
					key: String(minute.ago),
					parts: outcomes.map(({ outcome, tone }) => ({ value: minute[outcome], tone })),
				}))}
			/>
			<Legend parts={parts} />
			<p class="note">
				<a href={consolePath('requests', { sort: 'errors' })}>Requests, errors first</a>
			</p>
		</Card>
	);
};

const deliveryStates: { state: DeliveryState; tone: Tone }[] = [
	{ state: 'delivered', tone: 'good' },
	{ state: 'sending', tone: 'plain' },
	{ state: 'waiting', tone: 'open' },
	{ state: 'failed', tone: 'bad' },
	{ state: 'dropped', tone: 'bad' },
];

const LATEST = 100;

/** How the subscribers took the latest attempts, and in how many milliseconds, the middle of them. */
function latestAttempts({ store }: Network): { count: number; failed: number; ms: number } {
	const attempts = store.all<{ ms: number; status_class: string }>(
		`SELECT entry ->> 'durationMs' AS ms, status_class FROM log.entries
		WHERE kind = 'attempt' ORDER BY number DESC LIMIT ${LATEST}`,
	);

	const times = attempts.map(({ ms }) => ms).sort((a, b) => a - b);
	return {
		count: attempts.length,
		failed: attempts.filter(({ status_class }) => status_class !== '2xx').length,
		ms: times[Math.floor(times.length / 2)] ?? 0,
	};
}

const DeliveriesCard = (props: { network: Network; counts: Record<DeliveryState, number> }) => {
	const { network, counts } = props;
	const parts = deliveryStates
		.filter(({ state }) => state !== 'sending' || counts.sending > 0)
		.map(({ state, tone }) => ({
			name: nameOfState(state),
			value: counts[state],
			text: counts[state].toLocaleString('en-US'),
			tone,
			href: consolePath('deliveries', { status: state }),
		}));

	const ended = counts.delivered + counts.failed + counts.dropped;
	const active = network.store.number('SELECT count(*) FROM subscriptions WHERE ended_at IS NULL');

	const { count, failed, ms } = latestAttempts(network);
	const told = parts.map(({ name, text }) => `${name} ${text}`).join(', ');
	return (
		<Card id="deliveries" title="Health of deliveries">
			<p class="figure">
				{ended === 0 ? 'None yet' : formatShare(counts.delivered / ended)}
				<span class="note">{ended === 0 ? '' : ' of ended deliveries have arrived'}</span>
			</p>
			<Segments label={`Deliveries: ${told}`} parts={parts} />
			<Legend parts={parts} />
			<p class="note">
				<a href={consolePath('subscriptions')}>{counted(active, 'active subscription')}</a>
				{count > 0 &&
					`. Of the last ${counted(count, 'attempt')}, ${failed} failed; ${ms} ms each.`}
			</p>
		</Card>
	);
};

/** The first page: how to connect, what to do first, and how money, payables, requests and deliveries are. */
export const OverviewPage = ({ context, url }: PageRequest) => {
	const { network, log } = context;
	const totals = payableTotals(network);
	const counts = countDeliveries(network.store);
	return (
		<ConsolePage context={context} part="overview" url={url}>
			<Live url={pathOf(url)}>
				<div class="dashboard">
					<div>
						<Card id="first-steps" title="First steps">
							<FirstSteps network={network} facts={{ payables: totals, deliveries: counts }} />
						</Card>
						<RequestsCard log={log} />
					</div>
					<div>
						<Card id="connect" title="Connect a client">
							<Connect context={context} url={url} />
						</Card>
						<DeliveriesCard network={network} counts={counts} />
					</div>
					<div>
						<MoneyCard network={network} />
						<PayablesCard totals={totals} />
					</div>
				</div>
			</Live>
		</ConsolePage>
	);
};
