import { ledgerContract } from './ledgerContract';
import { N8nProcesses } from './n8nProcesses';

ledgerContract(
	{ sharesFacts: false, takesOver: false, knowsOtherKinds: false, refusesOtherCapitals: false },
	() => new N8nProcesses(),
);
