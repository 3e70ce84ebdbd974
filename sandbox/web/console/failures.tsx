import { magicAmounts, magicFailures, magicSteps, magicVendors } from '../../domain/magic';
import { formatDollars } from '../../shared/money';
import { Live } from '../../ui/page';
import type { FormSchema } from '../../ui/form';
import { Table, type Column } from '../../ui/table';
import { counted, formatShare, UserText } from '../../ui/text';
import { Act, ConsolePage, consolePath, pathOf, type PageRequest } from './frame';
import { CommonFaults } from './commonFaults';

interface AnyFault {
	id: number;
	kind: string;
	remaining: number | null;
	ratio?: number;
	match?: Record<string, string | undefined>;
}

/** What each kind of fault of a schema does. */
function titlesOf(schema: FormSchema | undefined): Map<string, string> {
	const titles = new Map<string, string>();
	for (const { properties, title = '' } of schema?.oneOf ?? []) {
		titles.set(String(properties?.['kind']?.const), title);
	}

	return titles;
}

const COMMON = ['id', 'kind', 'times', 'remaining', 'ratio', 'match'];

/** The parameters that a fault of its kind has. */
const detailsOf = (fault: AnyFault): string =>
	Object.entries(fault)
		.filter(([name]) => !COMMON.includes(name))
		.map(([name, value]) => `${name} ${JSON.stringify(value)}`)
		.join(', ');

/** What a fault strikes, and how much of it. */
function strikesOf({ ratio, match = {} }: AnyFault): string {
	const struck = Object.values(match).join(' ') || 'all';
	return ratio === undefined ? struck : `${formatShare(ratio)} of ${struck}`;
}

const columnsWith = (titles: Map<string, string>): Column<AnyFault>[] => [
	{
		name: 'Fault',
		cell: (fault) => (
			<>
				{titles.get(fault.kind)} <span class="note">{detailsOf(fault)}</span>
			</>
		),
	},
	{
		name: 'Strikes',
		cell: (fault) => <UserText>{strikesOf(fault)}</UserText>,
	},
	{
		name: 'Left',
		cell: ({ remaining }) => (remaining === null ? 'until cleared' : counted(remaining, 'time')),
	},
];

/** The active faults, and a form for each kind. */
export const FaultsPage = ({ context, url }: PageRequest) => {
	const { routes } = context;
	const back = pathOf(url);
	const groups = [
		{
			title: 'requests',
			faults: routes.faults.handle({}).faults as AnyFault[],
			clear: 'clearFaults',
			name: 'addFault',
			titles: titlesOf(routes.addFault.body),
		},
		{
			title: 'deliveries',
			faults: routes.deliveryFaults.handle({}).faults as AnyFault[],
			clear: 'clearDeliveryFaults',
			name: 'addDeliveryFault',
			titles: titlesOf(routes.addDeliveryFault.body),
		},
	] as const;

	return (
		<ConsolePage context={context} part="faults" url={url}>
			<p>A fault strikes what it fits, as often as it says, and is gone then.</p>
			<CommonFaults back={back} />
			<Live url={back}>
				{groups.map(({ title, faults, clear, titles }) => (
					<section key={title}>
						<h2>{`Faults of ${title}`}</h2>
						<Table
							caption={`Faults that wait for ${title}`}
							columns={columnsWith(titles)}
							rows={faults}
							idOf={({ id }) => `${title}-${id}`}
							empty="No faults wait."
						/>
						{faults.length > 0 && (
							<Act route={clear} label={`Clear faults of ${title}`} back={back} second={true} />
						)}
					</section>
				))}
			</Live>
			{groups.map(({ title, name, titles }) => (
				<section key={title}>
					<h2>{`Inject a fault of ${title}`}</h2>
					<ul>
						{[...titles].map(([kind, does]) => (
							<li key={kind}>
								<a href={consolePath(`do/${name}`, { kind, times: '1', back })}>{does}</a>
							</li>
						))}
					</ul>
				</section>
			))}
		</ConsolePage>
	);
};

interface MagicRow {
	value: string;
	step: string;
	effect: string;
}

const magicColumns: Column<MagicRow>[] = [
	{ name: 'Value', cell: ({ value }) => <code>{value}</code> },
	{ name: 'Where', cell: ({ step }) => <code>{step}</code> },
	{ name: 'What happens', cell: ({ effect }) => effect },
];

const magicRows: MagicRow[] = [
	...magicAmounts.map(({ amount, step, failure }) => ({
		value: formatDollars(amount),
		step: magicSteps[step],
		effect: magicFailures[failure],
	})),
	...Object.entries(magicSteps).flatMap(([step, call]) =>
		Object.entries(magicFailures).map(([failure, effect]) => ({
			value: `ana+${step}-${failure}@example.com`,
			step: call,
			effect,
		})),
	),
	...Object.entries(magicVendors).map(([tag, effect]) => ({
		value: `ana+${tag}@example.com`,
		step: 'sign-up',
		effect,
	})),
];

/** Every value that fails on purpose. */
export const MagicPage = ({ context, url }: PageRequest) => (
	<ConsolePage context={context} part="magic" url={url}>
		<p>
			Use these values in n8n to see how a workflow takes a failure; the rest of the address is
			yours.
			{context.network.settings.values.magicValues ? '' : ' They are switched off in the settings.'}
		</p>
		<Table
			caption="Amounts of a payable, and addresses of a vendor"
			columns={magicColumns}
			rows={magicRows}
			idOf={({ value }) => value.replace(/\W+/g, '-')}
			empty=""
		/>
	</ConsolePage>
);
