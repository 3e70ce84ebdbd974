import type { ActiveFault, Fault, FaultMatch } from '../../http/faults';
import type { FormState } from '../../ui/fields';
import { isClean } from '../../ui/form';
import { Live } from '../../ui/live';
import { Table, type Column } from '../../ui/table';
import { counted, UserText } from '../../ui/text';
import { FaultForm } from './fault-form';
import { faultNames } from './fault-names';
import { ConsolePage, CONSOLE_ROOT } from './frame';

/** What a fault is called, with its parameters in short. */
const describe = (fault: Fault): string => {
	const name = faultNames[fault.kind];
	if (fault.kind === 'latency') return `${name}: ${fault.ms.toLocaleString('en-US')} ms`;
	if (fault.kind !== 'status') return name;
	return `${name}: ${fault.status}${fault.after === true ? ', carried out first' : ''}`;
};

const target = ({ method, path, operationId }: FaultMatch = {}): string =>
	[operationId, method, path].filter((part) => part !== undefined).join(' ') || 'any request';

const share = ({ ratio }: Fault): string =>
	ratio === undefined
		? ''
		: `${(100 * ratio).toLocaleString('en-US', { maximumFractionDigits: 2 })} % of `;

const columns: Column<ActiveFault>[] = [
	{ name: 'Fault', cell: describe },
	{ name: 'Strikes', cell: (fault) => <UserText>{share(fault) + target(fault.match)}</UserText> },
	{
		name: 'Left',
		cell: ({ remaining }) => (remaining === null ? 'until called off' : counted(remaining, 'time')),
	},
];

/** The active faults, and a form to inject one. */
export const FaultsPage = (props: {
	faults: ActiveFault[];
	notice?: string | undefined;
	form: FormState;
}) => {
	const { faults, notice, form } = props;
	return (
		<ConsolePage
			part="faults"
			{...(isClean(form.errors) ? {} : { title: 'Error: Faults', heading: 'Faults' })}
			notice={notice}
		>
			<p>A fault strikes the next requests that it fits, then it is gone.</p>
			<Live url={`${CONSOLE_ROOT}/faults`}>
				<Table
					caption="Faults that wait, in the order in which they strike"
					columns={columns}
					rows={faults}
					idOf={({ id }) => String(id)}
					empty="No faults wait. Inject one below to see how a workflow takes it."
				/>
				{faults.length > 0 && (
					<form method="post" action={`${CONSOLE_ROOT}/faults/clear`}>
						<button class="second">Call all off</button>
					</form>
				)}
			</Live>
			<FaultForm {...form} />
		</ConsolePage>
	);
};
