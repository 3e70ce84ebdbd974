import type { ControlRoutes } from '../../control/routes';
import { Act } from './frame';

interface CommonFault {
	label: string;
	route: keyof ControlRoutes;
	input: Record<string, string>;
}

const once = { times: '1' };
const operation = (id: string): Record<string, string> => ({ 'match.operationId': id });

/** What goes wrong most, each in one click. */
const groups: { title: string; faults: CommonFault[] }[] = [
	{
		title: 'Was it done?',
		faults: [
			{
				label: 'The next funding is cut after its effect',
				route: 'addFault',
				input: { kind: 'cut_after', ...once, ...operation('createFunding') },
			},
			{
				label: 'The next payable is cut after its effect',
				route: 'addFault',
				input: { kind: 'cut_after', ...once, ...operation('createPayable') },
			},
			{
				label: 'The next funding is done, and answered with 503',
				route: 'addFault',
				input: {
					kind: 'status',
					status: '503',
					after: 'yes',
					...once,
					...operation('createFunding'),
				},
			},
			{
				label: 'The next approval gets 503, and is not done',
				route: 'addFault',
				input: { kind: 'status', status: '503', ...once, ...operation('approvePayable') },
			},
		],
	},
	{
		title: 'A service in trouble',
		faults: [
			{
				label: 'The next five requests get 429',
				route: 'addFault',
				input: { kind: 'status', status: '429', times: '5', headers: 'Retry-After: 2' },
			},
			{
				label: 'The next ten requests wait two seconds',
				route: 'addFault',
				input: { kind: 'latency', ms: '2000', times: '10' },
			},
			{
				label: 'A tenth of all requests gets 500, until cleared',
				route: 'addFault',
				input: { kind: 'status', status: '500', ratio: '0.1' },
			},
			{ label: 'All tokens expire now', route: 'expireTokens', input: {} },
		],
	},
	{
		title: 'Deliveries',
		faults: [
			{
				label: 'The next event comes three times',
				route: 'addDeliveryFault',
				input: { kind: 'duplicate', copies: '3', ...once },
			},
			{
				label: 'The next event is forged',
				route: 'addDeliveryFault',
				input: { kind: 'forged_signature', ...once },
			},
			{
				label: 'The next ten events come in any order',
				route: 'addDeliveryFault',
				input: { kind: 'reorder', ms: '5000', times: '10' },
			},
			{
				label: 'The next event never comes',
				route: 'addDeliveryFault',
				input: { kind: 'drop', ...once },
			},
		],
	},
];

export const CommonFaults = ({ back }: { back: string }) => (
	<section class="card" aria-labelledby="common-faults">
		<h2 id="common-faults">With one click</h2>
		<div class="grid">
			{groups.map(({ title, faults }) => (
				<div key={title}>
					<h3>{title}</h3>
					<ul class="plain buttons">
						{faults.map(({ label, route, input }) => (
							<li key={label}>
								<Act route={route} input={input} label={label} back={back} second={true} />
							</li>
						))}
					</ul>
				</div>
			))}
		</div>
	</section>
);
