import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { PartnerPaymentsApi } from '../../credentials/PartnerPaymentsApi.credentials';
import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { PartnerPayments } from '../../nodes/PartnerPayments/PartnerPayments.node';
import { PartnerPaymentsDepositTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsDepositTrigger.node';
import { PartnerPaymentsTrigger } from '../../nodes/PartnerPayments/PartnerPaymentsTrigger.node';
import packageJson from '../../package.json';
import { readPage } from './markdown';

const ROOT = join(__dirname, '../..');

/** What n8n reads beside a node's code: its category, and where its help is. */
interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	resources: Record<'credentialDocumentation' | 'primaryDocumentation', Array<{ url: string }>>;
}

const nodes = packageJson.n8n.nodes.map((file) => {
	const codexFile = file.replace(/^dist\//, '').replace(/\.js$/, '.json');
	return { codexFile, codex: JSON.parse(read(codexFile)) as Codex };
});

const helpLinks = [
	...[new PartnerPaymentsApi(), new PartnerPaymentsOAuth2Api()].map(
		({ documentationUrl }) => documentationUrl,
	),
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
		expect(repository).toEqual({ type: 'git', url: `git+${homepage}.git` });
		expect(bugs.url).toBe(`${homepage}/issues`);
		const { anchors } = readPage('README.md');
		for (const link of helpLinks) {
			if (!link.startsWith(`${homepage}/blob/main/docs/`))
				expect(anchors.map((anchor) => `${homepage}#${anchor}`)).toContain(link);
		}
	});

	test('is where vulnerabilities are reported', () => {
		for (const file of ['SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']) {
			expect(read(file)).toContain(`${packageJson.homepage}/security/advisories/new`);
		}
	});

	test('has no anchor in a link to which n8n adds its parameters', () => {
		const links = nodes.flatMap(({ codex }) => codex.resources.primaryDocumentation);
		for (const { url } of links) expect(url).not.toContain('#');
	});
});

describe('the codex', () => {
	const versions = [
		new PartnerPayments(),
		new PartnerPaymentsDepositTrigger(),
		new PartnerPaymentsTrigger(),
	].map(({ description }) => description.version);

	test.each(nodes)('$codexFile says what n8n asks for', ({ codexFile, codex }) => {
		expect(codex).toMatchObject({
			node: packageJson.name,
			codexVersion: '1.0',
			categories: ['Finance & Accounting'],
			resources: { credentialDocumentation: [{}], primaryDocumentation: [{}] },
		});
		const index = nodes.findIndex((node) => node.codexFile === codexFile);
		expect(Number(codex.nodeVersion)).toBe(versions[index]);
	});
});
