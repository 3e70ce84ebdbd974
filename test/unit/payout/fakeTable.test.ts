import { ledgerContract } from '../ledger/ledgerContract';
import { FakeTable } from './fakeTable';

ledgerContract(
	{ sharesFacts: true, takesOver: true, knowsOtherKinds: true, refusesOtherCapitals: true },
	() => new FakeTable(),
);
