import { beginContract } from './ledgerContract-begin';
import { claimContract } from './ledgerContract-claim';
import { finishContract } from './ledgerContract-finish';
import { kindsContract } from './ledgerContract-kinds';
import type { ContractContext, LedgerStore, StoreTraits } from './ledgerContract-support';

/**
 * What every implementation of `Ledger` promises, as tests.
 *
 * @param createStore called before each test
 */
export function ledgerContract(
	traits: StoreTraits,
	createStore: () => LedgerStore | Promise<LedgerStore>,
): void {
	let store: LedgerStore;
	const context: ContractContext = {
		traits,
		open: async (options) =>
			await store.open({ kind: 'payout', environment: 'sandbox', ...options }),
	};

	beforeEach(async () => {
		store = await createStore();
	});

	claimContract(context);
	beginContract(context);
	finishContract(context);
	kindsContract(context);
}
