import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXAMPLES, readExample } from '../../tools/examples';
import { ROOT } from '../../tools/n8n/paths';
import type { Workflow, WorkflowNode } from '../../tools/n8n/workflow';
import { readPage } from './markdown';

const OWN = 'n8n-nodes-partner-payments.';
const NOTE = 'n8n-nodes-base.stickyNote';

/** Colors of n8n's notes. */
const YELLOW = 1;
const WHITE = 7;

/** The side of a node on the canvas. */
const NODE_SIZE = 96;

/** How a name starts with what the workflow does, and ends with where. */
const TITLE = /^(Approve|Pay|Prepare|Resolve|Tell) .+ with Partner Payments$/;

/** The name that n8n gives a node, with the number that it appends to a second one. */
const UNNAMED =
	/^(Edit Fields|Extract from File|Filter|If|Loop Over Items|No Operation|Partner Payments.*|Schedule Trigger|Send a message|Slack|Split Out|Switch|Webhook)\d*$/;

/** What n8n's own nodes cannot: list charges by date, book bill payments, and show a column that a sheet has twice. */
const PUBLIC_APIS = [
	'https://api.stripe.com/v1/',
	'https://quickbooks.api.intuit.com',
	'https://sheets.googleapis.com/v4/spreadsheets/',
];

/** What makes another reference in each run. */
const CHANGING = /\$(now|today|execution|runIndex|itemIndex)|Date|random/i;

interface Note {
	text: string;
	color: number;
	left: number;
	top: number;
	right: number;
	bottom: number;
}

const NO_NOTE: Note = { text: '', color: YELLOW, left: 0, top: 0, right: 0, bottom: 0 };

const examples = EXAMPLES.map((name) => ({ name, workflow: readExample(name) }));

const isNote = ({ type }: WorkflowNode): boolean => type === NOTE;

const notesOf = ({ nodes }: Workflow): Note[] =>
	nodes.filter(isNote).map(({ position: [left, top], parameters }) => ({
		text: String(parameters['content']),
		color: Number(parameters['color'] ?? YELLOW),
		left,
		top,
		right: left + Number(parameters['width']),
		bottom: top + Number(parameters['height']),
	}));

const stepsOf = ({ nodes }: Workflow): WorkflowNode[] => nodes.filter((node) => !isNote(node));

const words = (text: string): number => text.match(/\S+/g)?.length ?? 0;

const holds = (note: Note, { position: [x, y] }: WorkflowNode): boolean =>
	x >= note.left && y >= note.top && x + NODE_SIZE <= note.right && y + NODE_SIZE <= note.bottom;

const overlap = (one: Note, other: Note): boolean =>
	one.left < other.right &&
	other.left < one.right &&
	one.top < other.bottom &&
	other.top < one.bottom;

test.each(examples)(
	'$name has one yellow note: what it does, how it works, how to set it up',
	(example) => {
		const yellow = notesOf(example.workflow).filter(({ color }) => color === YELLOW);
		const { text } = yellow[0] ?? NO_NOTE;

		expect(yellow).toHaveLength(1);
		expect(text.split('\n', 1)).toEqual([`## ${example.workflow.name}`]);
		expect(text).toMatch(/\n\n### How it works\n1\. [^]+\n\n### Setup\n- \[ \] [^]+/);
		expect(words(text)).toBeGreaterThanOrEqual(100);
		expect(words(text)).toBeLessThanOrEqual(300);
	},
);

test.each(examples)(
	'$name says which community node it needs, and how to get it',
	({ name, workflow }) => {
		const [note = NO_NOTE] = notesOf(workflow).filter(({ color }) => color === YELLOW);
		const { links } = readPage(`examples/${name.replace('.json', '.md')}`);

		expect(note.text).toMatch(
			/`n8n-nodes-partner-payments` on an n8n that you host: \*\*Settings → /,
		);
		expect(links).toContain('../README.md#install');
	},
);

test.each(examples)('$name has no link in a note that only works on this site', ({ workflow }) => {
	const links = notesOf(workflow).flatMap(({ text }) => [...text.matchAll(/\]\((?<to>[^)]*)\)/g)]);

	const relative = links.filter(({ groups }) => !groups?.['to']?.startsWith('https://'));

	expect(relative).toEqual([]);
});

test.each(examples)('$name has short white notes with a heading', ({ workflow }) => {
	const notes = notesOf(workflow);

	const white = notes.filter(({ color }) => color === WHITE);

	expect(white).toHaveLength(notes.length - 1);
	for (const { text } of white) {
		expect(text).toMatch(/^## .+\n./);
		expect(words(text)).toBeLessThanOrEqual(50);
	}
});

test.each(examples)('$name has each step in one white note', ({ workflow }) => {
	const white = notesOf(workflow).filter(({ color }) => color === WHITE);

	const homeless = stepsOf(workflow).filter(
		(node) => white.filter((note) => holds(note, node)).length !== 1,
	);

	expect(homeless.map(({ name }) => name)).toEqual([]);
});

test.each(examples)('$name has no note on another', ({ workflow }) => {
	const notes = notesOf(workflow);

	const overlapping = notes.filter((note) =>
		notes.some((other) => other !== note && overlap(note, other)),
	);

	expect(overlapping.map(({ text }) => text)).toEqual([]);
});

test.each(examples)('$name and its nodes are named for what they do', ({ workflow }) => {
	const names = workflow.nodes.map(({ name }) => name);

	expect(workflow.name).toMatch(TITLE);
	expect(new Set(names).size).toBe(names.length);
	expect(stepsOf(workflow).filter(({ name }) => UNNAMED.test(name))).toEqual([]);
});

test.each(examples)('$name carries nothing of the n8n that it was made in', ({ workflow }) => {
	expect(Object.keys(workflow)).toEqual(['name', 'nodes', 'connections', 'settings']);
	expect(workflow.nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
});

test.each(examples)('$name has no address, no secret, and no ID of anybody', ({ workflow }) => {
	// The name of a chat model is no ID of anybody.
	const withoutModel = JSON.stringify(workflow).replaceAll(/"model":\{.+?\}/g, '');
	const text = PUBLIC_APIS.reduce((rest, api) => rest.replaceAll(api, ''), withoutModel);

	const addresses = text.match(/[\w.+-]+@[\w-]+\.\w+/g) ?? [];

	expect(addresses.filter((address) => !address.endsWith('@example.com'))).toEqual([]);
	expect(text).not.toMatch(/https?:\/\/|xox[a-z]-|Bearer |"mode":"(id|list)","value":"[^"=]/);
});

test.each(examples)(
	'$name gives no form and no trigger of ours a known address',
	({ workflow }) => {
		const known = workflow.nodes.filter(({ type, webhookId, parameters: { options } }) =>
			type === 'n8n-nodes-base.formTrigger'
				? 'path' in Object(options)
				: type.startsWith(OWN) && webhookId !== undefined,
		);

		expect(known).toEqual([]);
	},
);

/** The nodes of the package that do one of these, each with its example. */
const nodesThat = (...operations: string[]) =>
	examples.flatMap(({ name: example, workflow }) =>
		workflow.nodes
			.filter(
				({ type, parameters: { resource, operation } }) =>
					type.startsWith(OWN) && operations.includes(`${String(resource)}.${String(operation)}`),
			)
			.map(({ name, parameters }) => ({ example, name, parameters })),
	);

test.each(nodesThat('payout.send', 'payable.create'))(
	'"$name" of $example makes nothing at the service without a reference',
	({ parameters: { uniqueReference: reference } }) => {
		expect(reference).toEqual(expect.stringMatching(/^=.*\{\{.+\}\}/));
		expect(reference).not.toEqual(expect.stringMatching(CHANGING));
	},
);

test.each(examples)('$name has one node with its settings', ({ workflow }) => {
	expect(workflow.nodes.filter(({ name }) => name === 'Settings')).toHaveLength(1);
});

test.each(nodesThat('payout.send'))(
	'"$name" of $example has its limit from the settings',
	({ parameters: { options } }) => {
		// Code nodes hand the settings over with each row, since n8n needs long to look elsewhere for each.
		const maxAmount = expect.stringMatching(
			/^=\{\{ \$(?:json|\('Settings'\)\.first\(\)\.json)\.maximum_amount \}\}$/,
		) as unknown;

		expect(options).toMatchObject({ maxAmount });
	},
);

/** The options of the nodes that may pay, by their templates and names. */
const optionsOf = (option: string) =>
	nodesThat('payout.send').map(({ example, name, parameters: { options } }) => [
		example.replace('.json', ''),
		name,
		(options as Record<string, unknown>)[option],
	]);

test('each node that pays or prepares holds what may be a duplicate, for as long as its payments allow', () => {
	expect(optionsOf('holdDuplicatesDays')).toEqual([
		['agent-prepares-person-pays', 'Prepare payout', 6],
		['agent-prepares-person-pays', 'Pay from balance', 6],
		['agent-prepares-person-pays', 'Look for a reason to hold', 6],
		['approve-in-chat-then-pay', 'Prepare payables', 6],
		['approve-in-chat-then-pay', 'Pay from balance', 6],
		['ask-above-1000', 'Pay what no rule holds', 6],
		['ask-above-1000', 'Pay after a yes', 6],
		['form-to-payout', 'Pay vendor', 6],
		['google-sheet-to-payouts', 'Pay vendors', 6],
		// After a yes as well: a duplicate that a person did not see must not pass.
		['hold-possible-duplicates', 'Pay what no rule holds', '={{ $json.duplicate_days }}'],
		['hold-possible-duplicates', 'Pay after a yes', '={{ $json.duplicate_days }}'],
		['hubspot-deal-to-payout', 'Pay vendor', 6],
		['invoice-with-deposit', 'Pay by invoice', 6],
		// Reminders come weeks later, and a person is asked anyway.
		['invoices-by-mail', 'Prepare the payout', 60],
		['invoices-by-mail', 'Pay from balance', 60],
		// What a vendor gets each month is no duplicate.
		['monthly-batch-from-spreadsheet', 'Pay vendors', 25],
		['onboard-vendor-then-pay', 'Pay vendor', 6],
		['pay-a-vendor', 'Pay vendor once', 6],
		['quickbooks-bills-to-payouts', 'Look what to pay', 6],
		['quickbooks-bills-to-payouts', 'Pay approved bills', 6],
		['stripe-charges-to-commissions', 'Pay affiliates', 25],
		['weekly-payment-run', 'Preview the run', 6],
		['weekly-payment-run', 'Pay from balance', 6],
	]);
});

test('only nodes after a yes pass by an invoice, which is the one that the person saw', () => {
	const passing = optionsOf('differentInvoice').filter(([, , line]) => line !== undefined);
	const ofItem = '={{ $json.different_invoice }}';

	expect(passing).toEqual([
		['agent-prepares-person-pays', 'Pay from balance', ofItem],
		['approve-in-chat-then-pay', 'Pay from balance', ofItem],
		['ask-above-1000', 'Pay after a yes', ofItem],
		['hold-possible-duplicates', 'Pay after a yes', ofItem],
		['invoices-by-mail', 'Pay from balance', ofItem],
		['quickbooks-bills-to-payouts', 'Pay approved bills', ofItem],
		['weekly-payment-run', 'Pay from balance', ofItem],
	]);
});

test('amounts that a person or a model enters are held when they are unusual', () => {
	const holding = optionsOf('holdUnusualAmounts').filter(([, , times]) => times === 5);

	expect(holding.map(([example, name]) => [example, name])).toEqual([
		['agent-prepares-person-pays', 'Prepare payout'],
		['agent-prepares-person-pays', 'Look for a reason to hold'],
		['approve-in-chat-then-pay', 'Prepare payables'],
		['ask-above-1000', 'Pay what no rule holds'],
		['form-to-payout', 'Pay vendor'],
		['google-sheet-to-payouts', 'Pay vendors'],
		['hold-possible-duplicates', 'Pay what no rule holds'],
		['hubspot-deal-to-payout', 'Pay vendor'],
		['invoice-with-deposit', 'Pay by invoice'],
		['invoices-by-mail', 'Prepare the payout'],
		['monthly-batch-from-spreadsheet', 'Pay vendors'],
		['pay-a-vendor', 'Pay vendor once'],
		['quickbooks-bills-to-payouts', 'Look what to pay'],
		['weekly-payment-run', 'Preview the run'],
	]);
});

test.each(['Look for a reason to hold', 'Look what to pay'])('"%s" pays nothing', (wanted) => {
	const [looking] = nodesThat('payout.send').filter(({ name }) => name === wanted);

	expect(looking?.parameters['options']).toMatchObject({ preview: true });
});

test.each(examples)(
	'$name has a description, with its file and a picture',
	({ name, workflow }) => {
		const title = name.replace(/\.json$/, '');
		const { anchors, links } = readPage(`examples/${title}.md`);

		const text = readFileSync(join(ROOT, `examples/${title}.md`), 'utf8');

		expect(text.split('\n', 1)).toEqual([`# ${workflow.name}`]);
		expect(anchors.slice(1)).toEqual([
			'who-it-is-for',
			'how-it-works',
			'setup',
			'requirements',
			'how-to-customize',
		]);
		expect(links).toEqual(expect.arrayContaining([name, `../docs/images/templates/${title}.png`]));
		expect(words(text)).toBeGreaterThanOrEqual(150);
		expect(words(text)).toBeLessThanOrEqual(300);
		expect(readPage('docs/guide/templates.md').links).toContain(`../../examples/${title}.md`);
	},
);
