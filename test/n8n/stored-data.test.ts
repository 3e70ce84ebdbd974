import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../tools/n8n/paths';
import type { Credential } from '../../tools/n8n';
import { payoutParameters } from '../../tools/payouts/payout';
import { PayoutWorkflow, statusesOf } from './support/payouts';
import { useTrigger } from './support/trigger';

const { fixture, client, listen } = useTrigger();

const DESCRIPTION = 'A description that belongs to nobody else';

/** The names in backquotes in all cells but the last of the table of what is stored. */
function documented(): Set<string> {
	const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
	const [, rest = ''] = text.split('## What the package stores\n');
	const [section = ''] = rest.split('\n#');
	const rows = section.split('\n').filter((line) => line.startsWith('| '));
	const cells = rows.map((row) => row.split('|').slice(1, -2).join(' '));

	return new Set(Array.from(cells.join('\n').matchAll(/`(\w+)`/g), ([, name = '']) => name));
}

/** Pays a vendor in each way, one unconfirmed payout among them; returns what was kept of it as text. */
async function payInAllWays(credential: Credential): Promise<{ id: string; texts: string[] }> {
	const { n8n, sandbox } = fixture();
	const workflow = await PayoutWorkflow.create(
		n8n,
		credential,
		payoutParameters(sandbox.workspaceId, {
			fundingMethod: '={{ $json.method }}',
			options: { description: DESCRIPTION },
		}),
	);

	const payout = { payee: sandbox.verifiedVendorEmail, amount: 100 };
	// Other test files pay in the same n8n.
	const name = randomUUID();
	const pay = async (number: number, method: string) =>
		statusesOf(await workflow.pay([{ ...payout, reference: `${name}-${number}`, method }]));
	await sandbox.control.addFault({ kind: 'cut_after', match: { operationId: 'createFunding' } });

	expect(await pay(1, 'balance')).toEqual(['unconfirmed']);
	expect(await pay(2, 'balance')).toEqual(['funded']);
	expect(await pay(3, 'invoice')).toEqual(['awaiting_deposit']);
	expect(await pay(4, 'none')).toEqual(['prepared']);

	return { id: workflow.workflow.id, texts: [`${name}-1`, payout.payee] };
}

/** The names of all properties, without those that nodes and references are kept under. */
function propertiesOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) {
		return [];
	}

	if (Array.isArray(value)) {
		return value.flatMap(propertiesOf);
	}

	return Object.entries(value).flatMap(([name, inner]) => [
		...(/^\w+$/.test(name) ? [name] : []),
		...propertiesOf(inner),
	]);
}

test('static data holds what SECURITY.md lists, and the store for deduplication no reference and no payee', async () => {
	const { n8n, sandbox } = fixture();
	const { workflow } = await listen(client());
	const payable = { id: 'payable-1', status: 'paid', payee_email: sandbox.verifiedVendorEmail };
	const { workspaceId } = sandbox;
	await sandbox.control.emitEvents([
		{ event_type: 'payable.paid', workspaceId, data: { payable } },
	]);
	await n8n.executions.newestOf(workflow.id, 1);
	const { id, texts } = await payInAllWays(client());

	const stored = [workflow.id, id].flatMap((one) => n8n.database.staticData(one));
	const names = new Set(propertiesOf(stored));
	const listed = documented();
	const kept = n8n.database.tablesWith([...texts, DESCRIPTION]);

	expect([...names]).toEqual(expect.arrayContaining(['subscriptions', 'secret', 'started']));
	expect([...names].filter((name) => !listed.has(name))).toEqual([]);
	expect(JSON.stringify(stored)).not.toContain(DESCRIPTION);
	expect([...kept.values()].flatMap((tables) => [...tables])).not.toContain('processed_data');
});
