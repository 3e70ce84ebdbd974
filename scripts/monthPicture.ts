import { readExample } from '../tools/examples';
import { type N8n, successfulItems, type Workflow } from '../tools/n8n';
import type { Editor } from '../tools/n8n/editor';
import type { Camera } from './camera';

const TRIGGER = 'When clicking ‘Execute workflow’';
const LAST_NODE = 'Draw the reconciliation';

/** The nodes that the page is made with. Those that mail it are left out. */
const NODES = [
	TRIGGER,
	'Settings',
	'Get the wallet',
	"Get last month's payouts",
	'Name each status',
	'Write the reconciliation',
	LAST_NODE,
];

const FIRST_DAY = '2026-10-01';
const LAST_DAY = '2026-10-31';
const DAY_MS = 86_400_000;

const VENDORS = ['ana@example.com', 'lee.studio@example.com', 'o.brien@example.com'];
/** How many payouts are shown, and which of them are not paid. */
const PAYOUTS = 46;
const UNPAID = new Map([
	[5, 'held'],
	[14, 'unconfirmed'],
	[23, 'held'],
	[31, 'unconfirmed'],
	[38, 'held'],
	[44, 'held'],
]);

/** Takes a picture of the page that monthly-statement mails, as n8n makes it for an example of a month. */
export async function pictureMonth(n8n: N8n, { context }: Editor, camera: Camera): Promise<void> {
	const { id } = await n8n.createWorkflow(monthOf(readExample('monthly-statement.json')));
	const execution = await n8n.runManually(id, TRIGGER);
	const [item] = successfulItems(execution, LAST_NODE);

	const page = await context.newPage();
	await page.setViewportSize({ width: 720, height: 520 });
	await page.setContent(String(item?.json['html']));
	await camera.capture('monthly-reconciliation', page.locator('html'));
	await page.close();
}

/** The part of the example that makes the page, with pinned data in place of the service. */
function monthOf({ name, nodes, connections }: Workflow): Workflow {
	const kept = nodes.filter((node) => NODES.includes(node.name));
	const lines = Object.entries(connections).filter(
		([from]) => NODES.includes(from) && from !== LAST_NODE,
	);

	return {
		name,
		nodes: kept,
		connections: Object.fromEntries(
			lines.map(([from, { main = [] }]) => [
				from,
				{ main: main.map((targets) => targets.filter(({ node }) => NODES.includes(node))) },
			]),
		),
		pinData: {
			Settings: [
				{
					json: {
						first_day: FIRST_DAY,
						last_day: LAST_DAY,
						mail_from: 'n8n@example.com',
						bookkeeper: 'accounting@example.com',
					},
				},
			],
			'Get the wallet': [{ json: { balance: 4_825_000 } }],
			"Get last month's payouts": Array.from({ length: PAYOUTS }, (_, index) => ({
				json: payout(index),
			})),
		},
	};
}

/** A payout of the month, with amounts that differ. */
function payout(index: number): Record<string, unknown> {
	const sentAt = new Date(Date.parse(FIRST_DAY) + Math.floor((index * 30) / PAYOUTS) * DAY_MS);
	const cents = 8_000 + ((index * 7_919) % 61_300);

	return {
		payee: VENDORS[Math.floor(index * 1.7) % VENDORS.length],
		unique_reference: `INV-${2_100 + index}`,
		status: UNPAID.get(index) ?? 'paid',
		created_at: sentAt.toISOString(),
		amount_cents: cents,
		amount_usd: (cents / 100).toFixed(2),
	};
}
