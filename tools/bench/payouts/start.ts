import { rmSync } from 'node:fs';

import { N8n, packPackage } from '../../n8n';
import { memoryMb, processorSeconds } from '../../processes/usage';
import { alternately, figuresByName } from '../../statistics';
import { type Measured, TableBuilder } from '../results/table';
import type { PayoutBench } from './bench';

const NAMES = ['withPackage', 'without'] as const;

/** What a start of n8n has cost until it answered. */
interface Start {
	seconds: number;
	processorSeconds: number;
	memoryMb: number;
}

/** How long n8n takes to start, in a home that it has used before, with the package and without. */
export async function measureStart({ scale }: PayoutBench): Promise<Measured> {
	const { startRounds: rounds } = scale;
	const hosts = {
		withPackage: await N8n.start({ tarball: packPackage() }),
		without: await N8n.start({}),
	};

	try {
		await hosts.withPackage.process.stop(true);
		await hosts.without.process.stop(true);

		const starts = await alternately(NAMES, rounds, async (name) => await startOf(hosts[name]));
		return tableOf(figuresByName(NAMES, starts), rounds);
	} finally {
		for (const { process } of Object.values(hosts)) {
			await process.stop();
			rmSync(process.home, { recursive: true, force: true });
		}
	}
}

async function startOf({ process }: N8n): Promise<Start> {
	const startedAt = performance.now();
	await process.launch();

	const start = {
		seconds: (performance.now() - startedAt) / 1000,
		processorSeconds: processorSeconds(process.pid),
		memoryMb: memoryMb(process.pid),
	};

	await process.stop(true);
	return start;
}

function tableOf(
	{ withPackage, without }: Record<(typeof NAMES)[number], Start[]>,
	rounds: number,
): Measured {
	const table = new TableBuilder(`A start of n8n: ${rounds} rounds`, {
		own: 'with the package',
		peer: 'without',
	});

	const compare = (name: string, unit: string, digits: number, key: keyof Start): void => {
		table.compare({
			name,
			unit,
			digits,
			own: withPackage.map((start) => start[key]),
			peer: without.map((start) => start[key]),
		});
	};

	compare('until n8n answers', 's', 2, 'seconds');
	compare('processor time until then', 's', 2, 'processorSeconds');
	compare('memory then', 'MB', 0, 'memoryMb');
	return { isPassed: true, table: table.build() };
}
