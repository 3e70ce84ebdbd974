import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { PartnerPaymentsApi } from '../../credentials/PartnerPaymentsApi.credentials';
import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { resources } from '../../nodes/PartnerPayments/resources';
import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsDepositTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import packageJson from '../../package.json';
import { ROOT } from '../../tools/n8n/paths';
import { readPage } from './markdown';
import { withInner } from './shownFields';

const { description } = new PartnerPayments();
const descriptions = [
	description,
	new PartnerPaymentsDepositTrigger().description,
	new PartnerPaymentsTrigger().description,
];

const credentials = [new PartnerPaymentsApi(), new PartnerPaymentsOAuth2Api()];

/** What a payable is made of, created alone or on the way of a payout. */
const PAYABLE = ['workspaceId', 'payee', 'amount'];
const LINE_ITEMS = ['options.lineItems.item.amount', 'options.lineItems.item.description'];

/** The names that workflows store, each once. Once released, they do not change. */
const PUBLIC_NAMES: Record<string, Record<string, string[]>> = {
	deposit: {
		getAll: ['workspaceId', 'returnAll', 'limit'],
		simulate: ['workspaceId', 'amount', 'options.additionalFields', 'options.amountUnit'],
	},
	funding: {
		create: [
			'workspaceId',
			'method',
			'payableIds',
			'amount',
			'options.additionalFields',
			'options.amountUnit',
			'options.description',
			'options.maxAmount',
			'options.poNumber',
		],
		getInvoicePdf: ['fundingId', 'download', 'options.binaryPropertyName'],
		linkDeposit: ['fundingId', 'depositId'],
	},
	ledger: { create: [] },
	partner: {
		get: ['workspaceId', 'partnerId'],
		invite: ['workspaceId', 'payeeEmail', 'options.invitesPerRequest', 'options.payeeBusinessName'],
	},
	payable: {
		approve: ['payableId'],
		create: [
			...PAYABLE,
			'options.additionalFields',
			'options.amountUnit',
			'options.description',
			'options.dueDate',
			'options.maxAmount',
			...LINE_ITEMS,
			'options.sendInvite',
		],
	},
	payout: {
		getMany: [
			'workspaceId',
			'returnAll',
			'limit',
			'filters.payee',
			'filters.reference',
			'filters.since',
			'filters.status',
			'filters.until',
			'options.sort',
		],
		resolve: [
			'workspaceId',
			'findBy',
			'uniqueReference',
			'payeeOfReference',
			'payableId',
			'wholeFunding',
			'outcome',
		],
		send: [
			...PAYABLE,
			'uniqueReference',
			'fundingMethod',
			'options.additionalFields',
			'options.amountUnit',
			'options.approvedBy',
			'options.checkBalance',
			'options.description',
			'options.differentInvoice',
			'options.dueDate',
			'options.fundingDescription',
			'options.holdAbove',
			'options.holdDuplicatesDays',
			'options.holdNewPayees',
			'options.holdUnusualAmounts',
			'options.invoiceDate',
			'options.allowedPayees',
			'options.maxAmount',
			'options.maxPerDay',
			'options.maxTotal',
			...LINE_ITEMS,
			'options.poNumber',
			'options.preview',
			'options.sendInvite',
		],
	},
	user: { get: [], getWorkspaces: [] },
	wallet: { get: ['workspaceId'] },
	webhookSubscription: {
		create: ['workspaceId', 'url', 'events', 'options.additionalFields', 'options.includeSecret'],
	},
	workspace: { get: ['workspaceId'], getInviteLink: ['workspaceId'] },
};

const CREDENTIAL_FIELDS = [
	'environment',
	'apiBaseUrl',
	'authBaseUrl',
	'clientId',
	'clientSecret',
	'audience',
	'defaultWorkspaceId',
	'requestsPerMinute',
	'webhookSigningSecret',
	'ledgerElsewhere',
	'ledgerTable',
	'n8nApiKey',
	'n8nBaseUrl',
];

/** The names of the values that a field stores, such as `lineItems.item.amount`. */
function namesOf(field: INodeProperties): string[] {
	if (field.type === 'notice') {
		return [];
	}

	if (field.type !== 'collection' && field.type !== 'fixedCollection') {
		return [field.name];
	}

	return (field.options ?? []).flatMap((option) => {
		if ('values' in option) {
			return option.values.flatMap(namesOf).map((name) => `${field.name}.${option.name}.${name}`);
		}

		return 'type' in option ? namesOf(option).map((name) => `${field.name}.${name}`) : [];
	});
}

const fields = description.properties
	.flatMap(withInner)
	.filter(
		(property): property is INodeProperties => 'displayName' in property && 'type' in property,
	);

describe('public names', () => {
	test('of resources, operations and their parameters', () => {
		const names = Object.fromEntries(
			resources.map(({ value, operations: own }) => [
				value,
				Object.fromEntries(
					own.map((operation) => [
						operation.value,
						[...new Set(operation.fields.flatMap(namesOf))].sort(),
					]),
				),
			]),
		);

		// In which order the editor shows them is another matter.
		const expected = Object.fromEntries(
			Object.entries(PUBLIC_NAMES).map(([resource, operations]) => [
				resource,
				Object.fromEntries(Object.entries(operations).map(([name, own]) => [name, own.toSorted()])),
			]),
		);
		expect(names).toEqual(expected);
	});

	test.each([
		['authentication', ['clientCredentials', 'oAuth2']],
		['resource', Object.keys(PUBLIC_NAMES)],
		['method', ['balance', 'invoice']],
		['fundingMethod', ['balance', 'invoice', 'none']],
		['amountUnit', ['cents', 'dollars']],
		['sort', ['newest', 'oldest', 'amount', 'payee']],
		['events', ['partnerStatusChanged', 'payableApproved', 'payablePaid', 'payableStatusChanged']],
	])('of the values of %s', (name, values) => {
		const found = fields.find((field) => field.name === name)?.options ?? [];

		const foundValues = found.map((option) =>
			String('value' in option ? option.value : option.name),
		);
		expect(foundValues.sort()).toEqual([...values].sort());
	});

	test.each([
		['workspaceId', ['id', 'url', 'list']],
		['payee', ['email', 'serviceId']],
	])('of the ways to name %s', (name, expected) => {
		const locators = description.properties.filter((field) => field.name === name);

		const ways = locators.map(({ type, modes }) => [type, modes?.map((mode) => mode.name)]);

		expect(locators.length).toBeGreaterThan(1);
		expect(ways).toEqual(locators.map(() => ['resourceLocator', expected]));
	});

	test.each(credentials)('of the fields of $name', ({ properties }) => {
		const visible = properties.filter(({ type }) => type !== 'hidden').map(({ name }) => name);

		expect(visible.filter((name) => name !== 'scope')).toEqual(CREDENTIAL_FIELDS);
	});
});

// n8n runs those before every execution, gives up after 250 ms, and then refuses to start it.
test('no field has a regular expression for n8n to run', () => {
	const fields = JSON.stringify(descriptions.map(({ properties }) => properties));

	expect(fields).toContain('"modes"');
	expect(fields).not.toMatch(/"(?:validation|extractValue)":/);
});

/** What n8n reads beside a node's code: its category, and where its help is. */
interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	alias: string[];
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
}

// Those of the build, which adds to them.
const nodes = packageJson.n8n.nodes.map((file) => {
	const codexFile = file.replace(/\.js$/, '.json');
	const name = basename(codexFile, '.node.json');
	const described = descriptions.find((one) => one.name.toLowerCase() === name.toLowerCase());
	if (described === undefined) {
		throw new Error(`No node is called ${name}`);
	}

	return { codexFile, codex: JSON.parse(read(codexFile)) as Codex, described };
});

const helpLinks = [
	...credentials.map(({ documentationUrl }) => documentationUrl),
	...nodes.flatMap(({ codex: { resources } }) =>
		[...resources.credentialDocumentation, ...resources.primaryDocumentation].map(({ url }) => url),
	),
];

function read(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

test('the package ships what people read first', () => {
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: ROOT,
		encoding: 'utf8',
	});

	const [{ files }] = JSON.parse(output) as [{ files: Array<{ path: string }> }];

	const atRoot = files.map(({ path }) => path).filter((path) => !path.includes('/'));

	expect(atRoot.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
});

test('the generated types are those of the contract', () => {
	const tool = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');

	const generated = execFileSync(process.execPath, [tool, 'contract/openapi.yaml'], {
		cwd: ROOT,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});

	expect(readFileSync(join(ROOT, 'contract/service.d.ts'), 'utf8').trim()).toBe(generated.trim());
});

describe('the repository', () => {
	test('is where homepage, bugs and every help link lead', () => {
		const { homepage, repository, bugs } = packageJson;

		const partsOfReadme = readPage('README.md').anchors.map((anchor) => `${homepage}#${anchor}`);

		const elsewhere = helpLinks.filter(
			(link) => !link.startsWith(`${homepage}/blob/main/docs/`) && !partsOfReadme.includes(link),
		);

		expect(repository).toEqual({ type: 'git', url: `git+${homepage}.git` });
		expect(bugs.url).toBe(`${homepage}/issues`);
		expect(helpLinks).not.toEqual([]);
		expect(elsewhere).toEqual([]);
	});

	test('is where vulnerabilities are reported', () => {
		for (const file of ['SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']) {
			expect(read(file)).toContain(`${packageJson.homepage}/security/advisories/new`);
		}
	});

	test('has no anchor in a link to which n8n adds its parameters', () => {
		const links = nodes.flatMap(({ codex }) => codex.resources.primaryDocumentation);

		expect(links).not.toEqual([]);
		expect(links.filter(({ url }) => url.includes('#'))).toEqual([]);
	});
});

test('each action of the node is found in the panel by its words', () => {
	const [node] = nodes;
	const actions = resources.flatMap(({ operations }) =>
		operations.map(({ action }) => action.toLowerCase()),
	);

	// n8n searches a node by its name and these words alone.
	expect(actions.filter((action) => node?.codex.alias.includes(action) !== true)).toEqual([]);
});

test('each entry of the panel, which shows a node and its trigger as one, has a text of its own', () => {
	const [node, depositTrigger, trigger] = descriptions;

	// The node and the trigger are one entry, with the text of the trigger.
	expect(trigger?.description).toMatch(/^Pay vendors.* and start a workflow when a payable/);
	expect(trigger?.description).toBe(node?.description);
	expect(depositTrigger?.description).toMatch(/^Starts the workflow when a deposit arrives/);
});

test.each(nodes)('the codex $codexFile says what n8n asks for', ({ codex, described }) => {
	const { version } = described;

	expect(codex).toMatchObject({
		node: packageJson.name,
		codexVersion: '1.0',
		categories: ['Finance & Accounting'],
		resources: { credentialDocumentation: [{}], primaryDocumentation: [{}] },
	});
	expect(Number(codex.nodeVersion)).toBe(version);
});
