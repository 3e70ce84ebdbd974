import { DEPOSITS } from './orders/depositScenarios';
import { explore, type Found } from './orders/explore';
import { MUTANTS } from './orders/mutants';
import { ProtocolSource } from './orders/protocolModules';
import type { Bounds } from './orders/scenario';
import { GROUPS, PAIRS, STATEMENTS } from './orders/scenarios';
import { Process } from './orders/stage';

/** Few changes first, so that the order that is found is a short one. */
const BOUNDS: Bounds[] = [
	{ turns: 0, faults: 0 },
	{ turns: 1, faults: 0 },
	{ turns: 0, faults: 1 },
	{ turns: 2, faults: 0 },
	{ turns: 1, faults: 1 },
	{ turns: 2, faults: 1 },
];

test.each(MUTANTS)('$name: the orders find it', async ({ changes, scenario: name, promise }) => {
	const scenario = [...PAIRS, ...STATEMENTS, ...GROUPS, ...DEPOSITS].find(
		(one) => one.scenario.name === name,
	)?.scenario;
	const source = new ProtocolSource(changes);

	let found: Found['violation'];
	for (const bounds of BOUNDS) {
		if (scenario !== undefined && found === undefined) {
			found = (await explore(scenario, bounds, source)).violation;
		}
	}

	process.stdout.write(`${[found?.promise, ...(found?.steps ?? [])].join('\n  ')}\n`);
	expect(found?.promise).toContain(promise);
});

test('a change of the source that is not there once is an error', () => {
	const file = 'ledger/protocol/classifyRows.ts';
	const source = new ProtocolSource([{ file, snippet: 'no such text', replacement: '' }]);

	expect(() => new Process(source)).toThrow(`${file} has this 0 times, not once: no such text`);
});

test('there are as many orders when each is executed', async () => {
	const [planned] = PAIRS;
	const bounds = { turns: 1, faults: 1 };
	const scenario = planned?.scenario ?? { name: 'none', roles: [] };

	const remembered = await explore(scenario, bounds, new ProtocolSource());
	const each = await explore(scenario, bounds, new ProtocolSource(), { isEachExecuted: true });

	expect(remembered.executed).toBeLessThan(each.executed);
	expect(each).toEqual({ ...remembered, executed: remembered.orders });
});

test('two runs that are alike have as many orders again when the names are exchanged', async () => {
	const [planned] = PAIRS;
	const bounds = { turns: 1, faults: 1 };
	const scenario = planned?.scenario ?? { name: 'none', roles: [] };

	const { orders } = await explore(scenario, bounds, new ProtocolSource());
	const all = await explore(scenario, bounds, new ProtocolSource(), { isMirrored: true });

	expect(all.orders).toBe(2 * orders);
});
