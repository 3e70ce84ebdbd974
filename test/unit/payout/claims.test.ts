import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import { claimOf, readPayable } from '../../../nodes/PartnerPayments/resources/payable/request';
import { thrownBy } from '../support';
import { WORKSPACE } from './payouts';
import { NODE } from './request';

/** An item of a node with these parameters. */
function itemOf(parameters: INodeParameters): ItemParameters {
	const n8n = {
		getTimezone: () => 'UTC',
		getNodeParameter: (name: string, _: number, fallback: unknown) => parameters[name] ?? fallback,
	};
	return new ItemParameters(n8n as unknown as IExecuteFunctions, 0, { ...NODE, parameters });
}

const PAYABLE: INodeParameters = {
	workspaceId: WORKSPACE,
	payeeIdentifiedBy: 'email',
	payeeEmail: 'ada@example.com',
	amountUnit: 'major',
	amount: '250.00',
};

describe('what a reference stands for', () => {
	test('is the same however a workspace and an e-mail address are written', () => {
		const capitals = { workspaceId: WORKSPACE.toUpperCase(), payeeEmail: 'Ada@Example.com' };
		const [one, other] = [PAYABLE, { ...PAYABLE, ...capitals }].map((parameters) =>
			claimOf(readPayable(itemOf(parameters)), 'INV-1'),
		);
		expect(other).toEqual(one);
	});

	test.each(['payee_email', 'payee_service_id'])(
		'names the payee: %s cannot be added beside it',
		(name) => {
			const parameters = { ...PAYABLE, 'options.additionalFields': { [name]: 'ven_eve' } };
			const error = thrownBy(() => readPayable(itemOf(parameters)));
			expect(error).toMatchObject({ message: `Additional Fields replaces "${name}"` });
		},
	);
});
