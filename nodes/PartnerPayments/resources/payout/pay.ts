import type { References } from '../../ledger/references';
import type { Service } from '../../service/api/client';
import { severalAtOnce } from '../../shared/concurrency';
import { groupBy, pieces, type Done, type Entry, type Run } from '../../execution/operation';
import { fund } from './fund';
import { Payout, type Order } from './payout';
import { prepare } from './prepare';

/** Payouts that are under way at once. */
const AT_ONCE = 64;

/** Payouts that are funded together, when all of them are approved or have failed. */
interface Group {
	payouts: Payout[];
	/** How many are not prepared yet. */
	missing: number;
}

/**
 * Pays what the items ask for, each unique reference once. Payables are created and approved several
 * at a time; a group is funded as soon as its last payable is approved, while others go on. One
 * payout that fails does not stop the others.
 *
 * @returns one outcome for each item, with all that is known of it
 */
export async function pay(
	service: Service,
	{ references: referencesOf, signal }: Run,
	entries: Array<Entry<Order>>,
): Promise<Done[]> {
	const references = referencesOf('payout');
	const payouts = entries.map((entry) => new Payout(entry, references));
	const sameReference = groupBy(payouts, ({ order }) => order.claim.reference);
	const firsts = sameReference.flatMap(([first]) => first ?? []);
	const names = firsts.map(({ order }) => order.claim.reference);
	await references.hold(names, async () => {
		const beginnings = await references.begin(firsts.map(({ order }) => order.claim));
		beginnings.forEach((beginning, index) => firsts[index]?.resume(beginning));
		const open = firsts.filter(({ isOver }) => !isOver);
		await payAll(service, references, open, () => signal?.aborted === true);
	});
	for (const [first, ...repeated] of sameReference)
		for (const payout of repeated) if (first !== undefined) payout.endAs(first);
	return payouts.map((payout) => payout.done());
}

async function payAll(
	service: Service,
	references: References,
	payouts: Payout[],
	isCancelled: () => boolean,
): Promise<void> {
	const groups = groupsOf(payouts);
	const fundings: Array<Promise<void>> = [];
	await severalAtOnce(
		payouts,
		AT_ONCE,
		async (payout) => {
			await prepare(service, payout).catch((error: unknown) => {
				payout.end('failed', error);
			});
			const group = groups.get(payout);
			if (group === undefined || --group.missing > 0 || isCancelled()) return;
			const ready = group.payouts.filter(({ isOver }) => !isOver);
			fundings.push(
				fund(service, references, ready).catch((error: unknown) => {
					for (const payout of ready) if (!payout.isOver) payout.end('failed', error);
				}),
			);
		},
		isCancelled,
	);
	await Promise.all(fundings);
	const nothingDone = payouts.filter(({ isOver, payableId }) => isOver && payableId === undefined);
	await references.release(nothingDone.map(({ order }) => order.claim));
}

/** Which group each payout belongs to: those with the same workspace, method and words, in order. */
function groupsOf(payouts: Payout[]): Map<Payout, Group> {
	const alike = groupBy(payouts, ({ order: { payable, method, words } }) =>
		JSON.stringify([payable.workspace_id, method, words]),
	);
	const groups = alike
		.flatMap((all) => pieces(all, Math.min(...all.map(({ order }) => order.payablesPerFunding))))
		.map((piece): Group => ({ payouts: piece, missing: piece.length }));
	return new Map(groups.flatMap((group) => group.payouts.map((payout) => [payout, group])));
}
