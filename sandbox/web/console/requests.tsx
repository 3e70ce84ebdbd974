import type { LoggedRequest } from '../../http/request-log';
import { Live } from '../../ui/live';
import { SelectField } from '../../ui/fields';
import { Table, type Column } from '../../ui/table';
import { Timestamp, UserText } from '../../ui/text';
import { faultNames } from './fault-names';
import { ConsolePage, CONSOLE_ROOT } from './frame';
import { operationOptions } from './operations';

/** How an answer ended, for the colour of its status. */
const toneOf = (status: number | null): string =>
	status === null || status >= 500 ? 'bad' : status >= 400 ? 'open' : 'good';

const columns: Column<LoggedRequest>[] = [
	{
		name: 'Request',
		cell: ({ method, path }) => (
			<code>
				{method} <UserText>{path}</UserText>
			</code>
		),
	},
	{
		name: 'Operation',
		cell: ({ operationId }) => operationId ?? <span class="note">not in the contract</span>,
	},
	{
		name: 'Status',
		cell: ({ status, errorCode }) => (
			<>
				<span class={`badge ${toneOf(status)}`}>{status ?? 'none'}</span>{' '}
				{errorCode !== null && <span class="note">{errorCode}</span>}
			</>
		),
	},
	{
		name: 'Faults',
		cell: ({ faults }) =>
			faults.length === 0 ? (
				<span class="note">none</span>
			) : (
				faults.map((kind) => faultNames[kind]).join('; ')
			),
	},
	{ name: 'At', cell: ({ at }) => <Timestamp at={at} /> },
];

/** The latest requests to the API and the token endpoint, newest first. */
export const RequestsPage = (props: { requests: LoggedRequest[]; operationId: string }) => {
	const { requests, operationId } = props;
	const url = `${CONSOLE_ROOT}/requests`;
	const filter = new URLSearchParams({ operationId }).toString();
	return (
		<ConsolePage part="requests">
			<form class="row" action={url}>
				<SelectField
					name="operationId"
					label="Operation"
					options={operationOptions('All operations')}
					values={{ operationId }}
					errors={{}}
				/>
				<button class="second">Filter</button>
			</form>
			<Live url={operationId === '' ? url : `${url}?${filter}`}>
				<Table
					caption={
						operationId === ''
							? 'Requests, newest first'
							: `Requests of ${operationId}, newest first`
					}
					columns={columns}
					rows={requests}
					idOf={({ number }) => String(number)}
					empty={
						operationId === ''
							? 'No requests yet. Run a workflow with the node, or call the API.'
							: 'No requests of this operation yet. Run it with the node, or choose another.'
					}
				/>
			</Live>
		</ConsolePage>
	);
};
