import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import * as clientCredentials from '../../credentials/PartnerPaymentsApi.credentials';
import * as oAuth2Credential from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsDepositTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import { COLUMNS } from '../../nodes/PartnerPayments/ledger/table/rows';
import { resources } from '../../nodes/PartnerPayments/resources';
import { repository, scripts } from '../../package.json';
import { ROOT } from '../../tools/n8n/paths';
import { markdownIn, readPage } from './markdown';
import { withInner } from './shownFields';
import { FakeDepositTrigger } from './trigger/fakeDepositTrigger';

const PAGES = [
	'README.md',
	'CHANGELOG.md',
	'SECURITY.md',
	'CONTRIBUTING.md',
	'sandbox/README.md',
	...markdownIn('docs'),
	...markdownIn('examples'),
];

/** The pages that name things as the editor shows them; the others tell how they are made. */
const USER_PAGES = PAGES.filter(
	(page) =>
		!/^examples|CHANGELOG|CONTRIBUTING|architecture|at-most-once|decisions|measured|mutation|releasing/.test(
			page,
		),
);

/** The pages that quote what nodes say. */
const MESSAGES = ['docs/guide/troubleshooting.md', 'docs/guide/events.md'];

/** What a file of the repository is called in a text. */
const FILE_NAME = /^[\w./-]+\/[\w.-]+\.(ts|tsx|mts|mjs|md|json|yaml)$/;
/** Folders that files are named from, beside the root. */
const FOLDERS = ['', 'nodes/PartnerPayments'];
/** Where n8n and npm get the pictures of README from, which they show far from the repository. */
const PICTURES = `https://raw.githubusercontent.com${new URL(repository.url).pathname.replace(/\.git$/, '')}/main/`;
/** Commands of npm itself. */
const NPM_COMMANDS = [
	'audit',
	'ci',
	'config',
	'deprecate',
	'install',
	'pack',
	'publish',
	'version',
	'view',
];

/** The operation that is added as an example. */
const EXAMPLE = ['resources/payable/get.ts', '__schema__/v1.0.0/payable/get.json'];
/** What n8n calls its own things. */
const NAMES_OF_N8N = [
	'AI Agent',
	'Production URL',
	'Account and settings → Billing & Subscription',
	'Actions',
	'Call n8n Workflow',
	'Capture Who Responded',
	'Limit Wait Time',
	'Restrict Who Can Approve',
	'Connect',
	'Connect to Partner Payments',
	'Continue',
	'Credential',
	'Expiration',
	'Home → Credentials',
	'Include',
	'Retry',
	'Create data table → Import CSV',
	'Custom → Data tables',
	'Download CSV',
	'Expression',
	'Fixed',
	'Import CSV',
	'Import from File',
	'MCP Server Trigger',
	'On Error',
	'Partner Payments Tool',
	'Predefined Credential Type',
	'Response Type',
	'Scopes',
	'Settings → Community Nodes → Install',
	'Settings → n8n API → Create API key',
	'Signature Secret',
	'Stop Workflow',
	'When Executed by Another Workflow',
];

const described = [
	new PartnerPayments().description,
	new PartnerPaymentsTrigger().description,
	new PartnerPaymentsDepositTrigger().description,
	new clientCredentials.PartnerPaymentsApi(),
	new oAuth2Credential.PartnerPaymentsOAuth2Api(),
];

/** What the editor calls a field, its values, and the fields in it. */
const namesOf = (field: INodeProperties): string[] =>
	withInner(field).map((one) => ('displayName' in one ? one.displayName : one.name));

const operations = resources.flatMap(({ name, operations: own }) =>
	own.map((operation) => `${name}: ${operation.name}`),
);
const names = new Set([
	...described.flatMap(({ displayName, properties }) => [
		displayName,
		...properties.flatMap(namesOf),
	]),
	...operations,
	...NAMES_OF_N8N,
]);

/** Whether the editor shows it: a name, or a field with a value of it. */
const isKnown = (text: string): boolean =>
	names.has(text) || (text.includes(': ') && text.split(': ').every((part) => names.has(part)));

/** Whether a text is set like a name: no sentence, and all its longer words with a capital. */
const isName = (text: string): boolean =>
	/^[A-Z].*[\w)]$/.test(text) && text.split(/[^\w]+/).every((word) => !/^[a-z]\w{3,}/.test(word));

describe.each(PAGES)('%s', (page) => {
	const { links, code, blocks } = readPage(page);

	test('links only to what exists', () => {
		const broken = links.filter((url) => {
			const link = url.replace(PICTURES, '/');
			if (/^(https?|mailto):/.test(link)) {
				return false;
			}

			const [path = '', anchor] = link.split('#');
			const target = path === '' ? page : join(path.startsWith('/') ? '' : dirname(page), path);
			if (!existsSync(join(ROOT, target))) {
				return true;
			}

			return anchor !== undefined && !readPage(target).anchors.includes(anchor);
		});

		expect(broken).toEqual([]);
	});

	test('names only files that exist', () => {
		const missing = code
			.filter((text) => FILE_NAME.test(text) && !EXAMPLE.includes(text))
			.filter(
				(text) => ![...FOLDERS, dirname(page)].some((from) => existsSync(join(ROOT, from, text))),
			);

		expect(missing).toEqual([]);
	});

	test('names only commands that exist', () => {
		const commands = [...code, ...blocks].flatMap((text) =>
			Array.from(text.matchAll(/\bnpm (?:run )?([\w:]+)/g), ([, command = '']) => command),
		);

		const known = [...Object.keys(scripts), ...NPM_COMMANDS];

		expect(commands.filter((command) => !known.includes(command))).toEqual([]);
	});
});

test('the guide quotes messages as the nodes say them', () => {
	const sources = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(join(ROOT, 'nodes', name), 'utf8'))
		.join('\n');

	const messages = MESSAGES.flatMap((page) => readPage(page).code).filter(
		(text) => text.split(' ').length > 4,
	);

	const unknown = messages.filter((message) =>
		message.split('…').some((part) => !sources.includes(part.trim())),
	);

	expect(messages.length).toBeGreaterThan(8);
	expect(unknown).toEqual([]);
});

test('links in code and in forms for reports lead to pages', () => {
	const sources = ['nodes', 'credentials', '.github'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.(?:ts|json|yml|md)$/.test(name))
			.map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
	);

	const links = sources.flatMap((source) =>
		Array.from(
			source.matchAll(/\/blob\/main\/(?<page>[\w./-]+\.md)(?:#(?<anchor>[\w-]+))?/g),
			({ groups }) => ({ page: groups?.['page'] ?? '', anchor: groups?.['anchor'] }),
		),
	);

	const broken = links.filter(({ page, anchor }) => {
		if (!PAGES.includes(page)) {
			return true;
		}

		return anchor !== undefined && !readPage(page).anchors.includes(anchor);
	});

	expect(links.length).toBeGreaterThan(3);
	expect(broken).toEqual([]);
});

test.each(USER_PAGES)('%s sets no name in bold that the editor does not show', (page) => {
	const unknown = readPage(page).bold.filter((text) => isName(text) && !isKnown(text));

	expect(unknown).toEqual([]);
});

test.each(resources)('README names each operation of $name', ({ name, operations: own }) => {
	const [, cell = ''] = readPage('README.md').rows.find(([resource]) => resource === name) ?? [];

	const named = cell.replace(/\([^)]*\)/g, '').split(',');

	expect(named.map((part) => part.trim()).sort()).toEqual(own.map((one) => one.name).sort());
});

test('SECURITY.md lists what the deposit trigger stores', async () => {
	const trigger = new FakeDepositTrigger();
	const activation = trigger.activate();
	await activation.poll();
	activation.save();
	const stored = JSON.parse(trigger.stored) as { global: { partnerPayments: object } };
	const [properties = {}] = Object.values(stored.global.partnerPayments) as object[];

	expect(Object.keys(properties)).toHaveLength(3);
	expect(readPage('SECURITY.md').code).toEqual(expect.arrayContaining(Object.keys(properties)));
});

test('the guide lists the columns of the ledger table', () => {
	const names = COLUMNS.map(({ name }) => name);

	expect(readPage('docs/guide/records.md').code).toEqual(expect.arrayContaining(names));
});

test('the file of the ledger table has its columns, and a cell for each in its one row', () => {
	const [header = '', row = ''] = readFileSync(join(ROOT, 'docs/payout-ledger.csv'), 'utf8')
		.trim()
		.split('\n');

	expect(header.split(',')).toEqual(COLUMNS.map(({ name }) => name));
	expect(row.split(',')).toHaveLength(COLUMNS.length);
});
