import { UNLIMITED } from '../payouts/credentials';
import { ourPayouts } from '../payouts/ours';
import { itemsOf, makePayouts, prepare } from '../payouts/payout';
import { peerPayouts } from '../payouts/peer';
import { addWays, inTurns, run, type Stage, type Ways } from './ways';

/** What every call takes, in milliseconds. */
export const LATENCY_MS = 150;

/** Pays without any limit a service that takes its time; the milliseconds of each round. */
export async function payALateService(
	stage: Stage,
	count: number,
	rounds: number,
): Promise<Record<keyof Ways, number[]>> {
	const { n8n, sandbox } = stage;
	const { control } = sandbox;
	const ways = await addWays(stage, ourPayouts, peerPayouts);
	const pay = async (who: keyof Ways, name: string): Promise<number> => {
		const payouts = makePayouts(`late-${who}-${name}`, count);
		await prepare(sandbox, payouts);
		return await run(n8n, ways[who], itemsOf(payouts));
	};
	await control.setRequestsPerMinute(UNLIMITED);
	await control.addFault({ kind: 'latency', ms: LATENCY_MS, ratio: 1 });
	await inTurns(1, async (who) => await pay(who, 'warm'));
	const figures = await inTurns(rounds, async (who, round) => await pay(who, `round-${round}`));
	await control.clearFaults();
	return figures;
}
