import { explore, type Found } from './explore';
import { ProtocolSource } from './protocolModules';
import type { Bounds, Scenario } from './scenario';
import type { Planned } from './scenarios';

const IS_LONG = process.env['ORDERS'] === 'long';

/** The orders of a scenario, of which none may break a promise. The long variant has more changes of turn. */
export function testOrders(planned: Planned[]): void {
	const source = new ProtocolSource();
	let orders = 0;
	let seconds = 0;

	test.each(planned.map((one) => ({ ...one, name: one.scenario.name })))(
		'$name',
		async ({ scenario, short, long }) => {
			const bounds = IS_LONG ? long : short;
			const startedAt = performance.now();

			const found = await explore(scenario, bounds, source);

			const took = (performance.now() - startedAt) / 1000;
			orders += found.orders;
			seconds += took;
			report(scenario, bounds, found, took);
			const { promise, steps } = found.violation ?? { promise: 'none', steps: [] };
			expect([promise, ...steps]).toEqual(['none']);
		},
		3 * 3_600_000,
	);

	afterAll(() => {
		process.stdout.write(`${orders} orders in ${seconds.toFixed(1)} s\n`);
	});
}

function report(
	{ name }: Scenario,
	{ turns, faults }: Bounds,
	{ orders, executed }: Found,
	took: number,
): void {
	const within = `up to ${turns} changes of turn and ${faults} faults`;
	process.stdout.write(
		`${name}: ${orders} orders, ${executed} of them executed, in ${took.toFixed(1)} s, ${within}\n`,
	);
}
