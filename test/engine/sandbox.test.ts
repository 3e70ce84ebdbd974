import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/client';
import { sandboxCredentialData } from '../../tools/sandboxCredentialData';
import { startSandbox } from '../support/sandbox';
import type { StoredCredentials } from './credentials';
import type { ExecutionOptions, ExecutionResult } from './engine';
import { byId, execute } from './support';

let sandbox: Sandbox;
let credentials: StoredCredentials;

beforeAll(async () => {
	sandbox = await startSandbox({ requestsPerMinute: 10_000 });
});
afterAll(async () => {
	await sandbox.stop();
});
beforeEach(async () => {
	await sandbox.control.reset();
	credentials = sandboxCredentialData(sandbox);
});

async function executeOperation(
	operation: string,
	parameters: INodeParameters,
	changes: Partial<ExecutionOptions> = {},
): Promise<ExecutionResult> {
	const [resource = '', name = ''] = operation.split('.');
	const common = { authentication: 'clientCredentials', resource, operation: name };
	return await execute({ parameters: { ...common, ...parameters }, credentials, ...changes });
}

/** The items of an execution that must not fail. */
async function jsonOf(...args: Parameters<typeof executeOperation>): Promise<IDataObject[]> {
	const { items, error } = await executeOperation(...args);
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
}

/** A text that an item must have. */
function textOf(item: IDataObject | undefined, name: string): string {
	const value = item?.[name];
	if (typeof value !== 'string') throw new Error(`The item has no ${name}`);
	return value;
}

const workspaceId = () => byId(sandbox.workspaceId);
const forAna = (changes: INodeParameters = {}): INodeParameters => ({
	workspaceId: workspaceId(),
	payeeEmail: sandbox.verifiedVendorEmail,
	amount: '19.99',
	amountUnit: 'major',
	...changes,
});

/** Payables that are approved, as their `create` put them out. */
async function approvedPayables(count: number): Promise<IDataObject[]> {
	const items = Array.from({ length: count }, () => ({}));
	const payables = await jsonOf('payable.create', forAna(), { items });
	await jsonOf('payable.approve', { payableId: '={{ $json.id }}' }, { items: payables });
	return payables;
}

test.each([
	['cut_before' as const, 0],
	['cut_after' as const, 1],
])('a funding whose connection is %s is in doubt and not repeated', async (kind, fundings) => {
	const [payable] = await approvedPayables(1);
	await sandbox.control.addFault({ kind, match: { operationId: 'createFunding' } });
	const { items } = await executeOperation(
		'funding.create',
		{ workspaceId: workspaceId(), payableIds: textOf(payable, 'id'), amount: '1999' },
		{ onError: 'continueRegularOutput' },
	);
	expect(items[0]?.json).toMatchObject({ details: { in_doubt: true } });
	expect(await sandbox.control.fundings()).toHaveLength(fundings);
	expect(await sandbox.control.requests('createFunding')).toHaveLength(1);
});

test.each([
	[
		'an unknown workspace',
		'wallet.get',
		{ workspaceId: byId('99999999-9999-4999-8999-999999999999') },
	],
	['an unknown payable', 'payable.approve', { payableId: 'pay_none' }],
	['an unknown funding', 'funding.getInvoicePdf', { fundingId: 'fnd_none' }],
])('%s is refused, and the error quotes the service', async (_, operation, parameters) => {
	const { error } = await executeOperation(operation, parameters);
	expect(error?.message).toMatch(
		/^Could not .* the service answered ".+" \(status 404\) \[item 0\]$/,
	);
});

test('more than the balance is refused, and nothing is paid', async () => {
	const [payable] = await jsonOf('payable.create', forAna({ amount: '9999.99' }));
	const payableId = textOf(payable, 'id');
	await jsonOf('payable.approve', { payableId });
	const { error } = await executeOperation('funding.create', {
		workspaceId: workspaceId(),
		payableIds: payableId,
		amount: '999999',
	});
	expect(error?.message).toMatch(/^Could not create the funding: .*\(status 4\d\d\) \[item 0\]$/);
	expect(await sandbox.control.fundings()).toEqual([]);
});
