import type { LoggedAttempt } from '../../deliveries/attempt';
import { readDeliveries } from '../../deliveries/deliveryViews';
import { readFundings } from '../../domain/fundings';
import { findPayable } from '../../domain/payables';
import { movesOf, timelineOf, type Moment } from '../../domain/timeline';
import type { Network } from '../../network/network';
import { HttpError, notFound } from '../../shared/errors';
import { labelOf } from '../../ui/form';
import { Live } from '../../ui/page';
import { Facts, Table, type Column } from '../../ui/table';
import { Duration, ExactTime, StatusBadge, UserText } from '../../ui/text';
import { cellOf, factsOf, plainColumns } from './cells';
import { Json } from './json';
import { DeliveryLife, PayableLife } from './life';
import { Act, ConsolePage, consolePath, pathOf, type PageRequest } from './frame';

/** A record that the service knows by its ID, as the API answers it. */
function findRecord(network: Network, id: string): object | undefined {
	const payable = findPayable(network, id);
	if (payable !== undefined) {
		const { line_items: _, ...shown } = payable;
		return shown;
	}

	return readFundings(network, id)[0] ?? network.store.get('deposits', id);
}

const momentColumns = (first: string): Column<Moment>[] => [
	{
		name: 'After',
		numeric: true,
		cell: ({ at }) => <Duration ms={Date.parse(at) - Date.parse(first)} />,
	},
	{ name: 'What', cell: ({ kind }) => <span class={`moment ${kind}`}>{labelOf(kind)}</span> },
	{
		name: 'How',
		wide: true,
		cell: ({ kind, id, text }) =>
			kind === 'request' || kind === 'delivery' ? (
				<a href={consolePath(kind === 'request' ? `requests/${id}` : `deliveries/${id}`)}>
					<UserText>{text}</UserText>
				</a>
			) : (
				<UserText>{text}</UserText>
			),
	},
	{
		name: 'Result',
		cell: ({ kind, result }) =>
			kind === 'request' ? (
				<StatusBadge status={result === null ? null : Number(result)} />
			) : (
				cellOf(kind === 'ledger' ? 'amount' : 'status', result)
			),
	},
	{ name: 'Took', numeric: true, cell: ({ tookMs }) => cellOf('tookMs', tookMs) },
	{ name: 'At', cell: ({ at }) => <ExactTime at={at} /> },
];

/** A payable, funding or deposit, and everything that has happened with it. */
export const RecordPage = ({ context, url, id }: PageRequest) => {
	const { network, log } = context;
	const found = findRecord(network, id);
	if (found === undefined) {
		throw new HttpError(404, 'not_found', 'This sandbox has no such record, or not any more.');
	}

	const kind = { pbl: 'Payable', fnd: 'Funding' }[id.slice(0, 3)] ?? 'Deposit';
	const moments = timelineOf(network, log, id);
	return (
		<ConsolePage
			context={context}
			part="payables"
			url={url}
			title={`${kind} ${id}`}
			heading={
				<>
					{kind} <code>{id}</code>
				</>
			}
		>
			<Live url={pathOf(url)}>
				{kind === 'Payable' && <PayableLife moves={movesOf(network, id)} moments={moments} />}
				<Facts facts={factsOf(found)} />
				<Table
					caption="What has happened, oldest first"
					columns={momentColumns(moments[0]?.at ?? '')}
					rows={moments}
					idOf={({ kind: each, id: of, text }) => `${each}-${of}-${text.replace(/\W+/g, '-')}`}
					empty="Nothing that the sandbox remembers."
				/>
			</Live>
		</ConsolePage>
	);
};

const attemptColumns = plainColumns<LoggedAttempt>({
	attempt: 'Attempt',
	status: 'Status',
	answer: 'The subscriber said',
	error: 'Error',
	durationMs: 'Took',
	faults: 'Faults',
	at: 'At',
});

/** A POST as a command, which a person can send again from a terminal. */
const curlOf = (post: { url: string; headers: Record<string, string>; body: string }): string =>
	[
		`curl -X POST ${quoted(post.url)}`,
		...Object.entries(post.headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
		`  --data-raw ${quoted(post.body)}`,
	].join(' \\\n');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** One delivery: what is sent, how it is signed, and every attempt. */
export const DeliveryPage = ({ context, url, id }: PageRequest) => {
	const { network, deliveries } = context;
	const [delivery] = readDeliveries(network.store, { id });
	if (delivery === undefined) {
		throw notFound('delivery', id);
	}

	const post = deliveries.preview(id);
	const attempts = deliveries.log.read({ subject: id });
	const recordedAt = network.store.get('events', delivery.eventId)?.['created_at'];
	const back = pathOf(url);
	return (
		<ConsolePage context={context} part="deliveries" url={url} title={`Delivery ${id}`}>
			<Live url={back}>
				<DeliveryLife delivery={delivery} recordedAt={String(recordedAt)} attempts={attempts} />
				<Facts facts={factsOf(delivery)} />
				<Act route="redeliver" input={{ delivery: id }} label="Send again" back={back} />
				<h2>Attempts</h2>
				<Table
					caption="Attempts, oldest first"
					columns={attemptColumns}
					rows={attempts}
					idOf={({ number }) => String(number)}
					empty="No attempt yet."
				/>
				<h2>Payload</h2>
				<Json value={post.body} />
				<h2>As a command</h2>
				<pre>
					<code>{curlOf(post)}</code>
				</pre>
			</Live>
		</ConsolePage>
	);
};

/** One request: what came in, what went out, and what a fault made of it. */
export const RequestPage = ({ context, url, id }: PageRequest) => {
	const request = context.log.find(Number(id));
	if (request === undefined) {
		throw notFound('request', id);
	}

	const { body, answer, query: _, ...facts } = request;
	return (
		<ConsolePage
			context={context}
			part="requests"
			url={url}
			title={`${request.method} ${request.path}`}
		>
			<Facts facts={factsOf(facts)} />
			<h2>Body</h2>
			{body === null ? <p class="empty">No body.</p> : <Json value={body} />}
			<h2>Answer</h2>
			{answer ? <Json value={answer} /> : <p class="empty">No answer.</p>}
		</ConsolePage>
	);
};
