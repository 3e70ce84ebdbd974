import 'reflect-metadata';

import './environment';

import { Workflow, type INodeTypes } from 'n8n-workflow';

import { PartnerPaymentsOAuth2Api } from '../../credentials/PartnerPaymentsOAuth2Api.credentials';
import { node } from '../unit/support';

const { properties, test: credentialTest } = new PartnerPaymentsOAuth2Api();
const REFUSED = 'https-is-needed-in-both-base-urls:';

/** The addresses that follow from a base URL, as n8n resolves the hidden fields of the credential. */
async function addressesOf(base: string): Promise<Record<string, unknown>> {
	const { expression } = new Workflow({
		nodes: [],
		connections: {},
		active: false,
		nodeTypes: {} as INodeTypes,
	});

	const defaultOf = (field: string) =>
		properties.find(({ name }) => name === field)?.default as string;

	const data = {
		apiBaseUrl: base,
		authBaseUrl: base,
		authUrl: defaultOf('authUrl'),
		accessTokenUrl: defaultOf('accessTokenUrl'),
		test: credentialTest.request.baseURL?.replace('$credentials', '$self') ?? '',
	};

	await expression.acquireIsolate();
	try {
		const resolved = expression.getComplexParameterValue(
			node,
			data,
			'internal',
			{},
			undefined,
			undefined,
			data,
		);

		return resolved as Record<string, unknown>;
	} finally {
		await expression.releaseIsolate();
	}
}

test.each([
	['https://api.example.com/v1', 'https://api.example.com', 'https://api.example.com/v1'],
	[' HTTPS://a.example:8443// ', 'HTTPS://a.example:8443', 'HTTPS://a.example:8443'],
	['http://localhost:4010/v1/', 'http://localhost:4010', 'http://localhost:4010/v1'],
	['http://127.0.0.1/@v1', 'http://127.0.0.1', 'http://127.0.0.1/@v1'],
	['http://[::1]:4010', 'http://[::1]:4010', 'http://[::1]:4010'],
])('%s is an address to connect to', async (base, origin, root) => {
	expect(await addressesOf(base)).toMatchObject({
		authUrl: `${origin}/api/oauth/authorize`,
		accessTokenUrl: `${root}/oauth/token`,
		test: root,
	});
});

test.each([
	'http://api.example.com',
	'http://localhost.example.com',
	'http://localhost@api.example.com',
	'http://localhost:x@api.example.com',
	'http://localhost:4010@api.example.com',
	'http://127.0.0.1:@api.example.com/v1',
	'http://[::1]:x@api.example.com',
	'http://localhost\\@api.example.com',
	'http://localhost:4010\\@api.example.com',
	'http://localhost#@api.example.com',
	'http://localhost?@api.example.com',
	'https://user@api.example.com',
	'https://user:password@api.example.com',
	'https://api.example.com\\@evil.example',
	'https://api.example.com?x',
	'https://',
	'https:///v1',
	'ftp://api.example.com',
	'',
])('%j is no address to connect to', async (base) => {
	expect(await addressesOf(base)).toMatchObject({
		authUrl: REFUSED,
		accessTokenUrl: REFUSED,
		test: REFUSED,
	});
});
