import { TakenOverError, type Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { N8nProcesses } from '../ledger/n8nProcesses';
import { FakeService, payAll } from './payouts';

/** Something that happens once. */
function moment(): { hasCome: Promise<void>; comes: () => void } {
	let comes = (): void => undefined;
	const hasCome = new Promise<void>((resolve) => {
		comes = resolve;
	});
	return { hasCome, comes };
}

test('a payout that another run takes over while its payable is made names none, and is left out of the funding', async () => {
	const service = new FakeService();
	const taken = await new N8nProcesses().open();
	const ledger: Ledger = Object.create(taken);
	ledger.advance = async (claims, update) => {
		if (claims.some(({ reference }) => reference === 'INV-1')) throw new TakenOverError();
		await taken.advance(claims, update);
	};
	expect(await payAll(service, ledger, ['INV-1', 'INV-2'])).toMatchObject([
		{ status: 'not_sent', payable_id: null },
		{ status: 'funded', payable_id: 'pay-2' },
	]);
	expect(service.fundings).toMatchObject([{ amount: 25_000, payable_ids: ['pay-2'] }]);
});

test('the loser of a race, whose winner was refused, funds no payable that it does not know', async () => {
	const [processes, service] = [new N8nProcesses(), new FakeService()];
	const winner = await processes.open({ process: 'winner' });
	const loser = await processes.open({ process: 'loser' });
	const [loserPrepared, winnerSent, loserLost] = [moment(), moment(), moment()];

	// The winner begins when both are prepared, and is refused between the two looks of the loser.
	const first: Ledger = Object.create(winner);
	first.begin = async (...call) => {
		await loserPrepared.hasCome;
		return await winner.begin(...call);
	};
	const second: Ledger = Object.create(loser);
	second.begin = async (...call) => {
		loserPrepared.comes();
		await winnerSent.hasCome;
		const refused = await loser.begin(...call);
		loserLost.comes();
		await won;
		return refused;
	};
	service.script = async (path) => {
		if (path !== '/v1/funding' || service.fundings.length > 1) return undefined;
		winnerSent.comes();
		await loserLost.hasCome;
		return 402;
	};
	const won = payAll(service, first, ['INV-1']);
	const lost = payAll(service, second, ['INV-1']);
	expect(await won).toMatchObject([{ status: 'failed' }]);
	expect(await lost).toMatchObject([{ status: 'not_sent', payable_id: null }]);
	expect(service.fundings).toHaveLength(1);
});
