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

/** What n8n's own nodes cannot: list charges by date, and show a column that a sheet has twice. */
const PUBLIC_APIS = [
	'https://api.stripe.com/v1/',
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

test('only nodes that a person has agreed before pay what may be a duplicate', () => {
	const paying = nodesThat('payout.send').filter(
		({ parameters: { fundingMethod: method } }) => method !== 'none',
	);

	const withoutHold = paying.filter(
		({ parameters: { options } }) => !('holdDuplicatesDays' in Object(options)),
	);

	expect(withoutHold.map(({ example, name }) => [example, name])).toEqual([
		['agent-prepares-person-pays.json', 'Pay from balance'],
		['approve-in-chat-then-pay.json', 'Pay from balance'],
		['ask-above-1000.json', 'Pay after a yes'],
		['hold-possible-duplicates.json', 'Pay after a yes'],
	]);
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
