import { counted } from '../../ui/text';
import { Act, ConsolePage, consolePath, type PageRequest } from './frame';

const LOST = [
	{ table: 'vendors', one: 'vendor' },
	{ table: 'payables', one: 'payable' },
	{ table: 'fundings', one: 'funding' },
	{ table: 'deposits', one: 'deposit' },
	{ table: 'subscriptions', one: 'subscription' },
	{ table: 'events', one: 'event' },
];

/** Asks before everything is gone. */
export const ResetPage = ({ context, url }: PageRequest) => {
	const { store } = context.network;
	return (
		<ConsolePage context={context} part="overview" url={url} title="Reset the sandbox?">
			<p>
				This removes what is here, with logs, faults, and changed settings, and starts over with the
				demonstration network. Snapshots stay.
			</p>
			<ul>
				{LOST.map(({ table, one }) => (
					<li key={table}>{counted(store.number(`SELECT count(*) FROM ${table}`), one)}</li>
				))}
			</ul>
			<div class="actions">
				<Act route="reset" label="Reset the sandbox" back={consolePath('overview')} />
				<a href={consolePath('overview')}>Keep everything</a>
			</div>
		</ConsolePage>
	);
};
