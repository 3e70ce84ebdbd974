import axios from 'axios';
import type { components } from '../../contract/service';
import { startSandbox } from '../support/sandbox';
import { SandboxFixture } from './fixture';
import { TemporaryFolder } from './processes';
import { CALLBACK, connectAs } from './visitor';

const folder = new TemporaryFolder();
const fixture = new SandboxFixture();

type TokenAnswer = components['schemas']['Token'] & { error?: string; error_description?: string };

const application = () => ({
	client_id: fixture.sandbox.applicationId,
	client_secret: fixture.sandbox.applicationSecret,
});

const ask = async (fields: Record<string, string>, url = fixture.sandbox.authUrl) =>
	await axios.post<TokenAnswer>(`${url}/oauth/token`, fields, { validateStatus: () => true });

const exchange = async (code: string | undefined, changes: Record<string, string> = {}) =>
	await ask({
		...application(),
		grant_type: 'authorization_code',
		code: code ?? '',
		redirect_uri: CALLBACK,
		...changes,
	});

const refresh = async (token: string | undefined, changes: Record<string, string> = {}) =>
	await ask({
		...application(),
		grant_type: 'refresh_token',
		refresh_token: token ?? '',
		...changes,
	});

/** Connects a user and answers the tokens. */
async function connected(user = fixture.sandbox.userEmail): Promise<TokenAnswer> {
	const { code } = await connectAs(fixture.sandbox, user);
	const { status, data } = await exchange(code);
	expect(status).toBe(200);
	return data;
}

const workspacesWith = async (token: string) => {
	const api = await fixture.client(token);
	return await api.get<{ data: { display_name: string; role: { display_name: string } }[] }>(
		'/user/current/workspaces',
	);
};

beforeEach(async () => {
	await fixture.sandbox.control.reset();
});

describe('a code', () => {
	test('a code becomes an access token, a refresh token and an ID token #code-becomes-tokens', async () => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const { status, data, headers } = await exchange(code);
		expect({ status, data }).toEqual({
			status: 200,
			data: {
				access_token: expect.any(String),
				token_type: 'Bearer',
				expires_in: 86400,
				refresh_token: expect.any(String),
				id_token: expect.any(String),
			},
		});
		expect(headers['cache-control']).toBe('no-store');
		const [, claims = ''] = data.id_token?.split('.') ?? [];
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
			iss: fixture.sandbox.authUrl,
			aud: fixture.sandbox.applicationId,
			sub: fixture.sandbox.userId,
			name: 'Nora Field',
			email: fixture.sandbox.userEmail,
		});
	});

	test('the token of a code acts for the user who consented #code-acts-for-user', async () => {
		const roles = async (user: string) => {
			const { data } = await workspacesWith((await connected(user)).access_token);
			return data.data.map((each) => `${each.display_name}: ${each.role.display_name}`);
		};
		expect(await roles(fixture.sandbox.userEmail)).toEqual([
			'Northwind Media Studio: Approver',
			'Northwind Media US: Admin',
		]);
		expect(await roles('mira@agency.example')).toEqual([
			'Harbor Talent: Approver',
			'Northwind Media US: Accountant',
		]);
		expect(await roles('theo@newcomer.example')).toEqual([]);
	});

	test('a role is shown and restricts nothing #role-restricts-nothing', async () => {
		for (const user of [fixture.sandbox.userEmail, 'mira@agency.example']) {
			const api = await fixture.client((await connected(user)).access_token);
			const { status } = await api.post('/payable', {
				workspace_id: fixture.sandbox.workspaceId,
				payee_email: fixture.sandbox.verifiedVendorEmail,
				amount: 100,
			});
			expect({ user, status }).toEqual({ user, status: 200 });
		}
	});

	test('a form is taken as well as JSON, unless the sandbox is strict', async () => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const form = new URLSearchParams({
			...application(),
			grant_type: 'authorization_code',
			code: code ?? '',
			redirect_uri: CALLBACK,
		});
		const { status, data } = await axios.post<TokenAnswer>(
			`${fixture.sandbox.authUrl}/oauth/token`,
			form,
			{ validateStatus: () => true },
		);
		expect({ status, error: data.error }).toEqual({ status: 200, error: undefined });

		const strict = await startSandbox({ strictJson: true });
		try {
			const refused = await axios.post<TokenAnswer>(`${strict.authUrl}/oauth/token`, form, {
				validateStatus: () => true,
			});
			expect(refused.status).toBe(415);
			const { code: another } = await connectAs(strict, strict.userEmail);
			const fields = { ...Object.fromEntries(form), code: another ?? '' };
			expect((await ask(fields, strict.authUrl)).status).toBe(200);
		} finally {
			await strict.stop();
		}
	});

	test.each([
		['another secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['another application', { client_id: 'nobody' }, 401, 'invalid_client'],
		['another redirect URI', { redirect_uri: `${CALLBACK}/` }, 400, 'invalid_grant'],
		['another code', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
		['no code', { code: '' }, 400, 'invalid_request'],
	])('is worth nothing with %s', async (_, changes, status, error) => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const refused = await exchange(code, changes);
		expect({ status: refused.status, error: refused.data.error }).toEqual({ status, error });
		expect(JSON.stringify(refused.data)).not.toContain(fixture.sandbox.applicationSecret);
	});

	test('is worth nothing a second time, and then its tokens are worth nothing either', async () => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const { data } = await exchange(code);
		expect((await exchange(code)).data.error).toBe('invalid_grant');
		expect((await workspacesWith(data.access_token)).status).toBe(401);
	});

	test('is worth nothing to a client that acts for itself', async () => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const { clientId: client_id, clientSecret: client_secret } = fixture.sandbox;
		const refused = await exchange(code, { client_id, client_secret });
		expect(refused.data.error).toBe('unauthorized_client');
		const { audience } = fixture.sandbox;
		const own = await ask({ ...application(), grant_type: 'client_credentials', audience });
		expect(own.data.error).toBe('unauthorized_client');
	});
});

describe('tokens', () => {
	test('an access token lasts 86400 seconds #access-token-lifetime', async () => {
		const { access_token } = await connected();
		await fixture.sandbox.control.advanceClock(86_390);
		expect((await workspacesWith(access_token)).status).toBe(200);
		await fixture.sandbox.control.advanceClock(20);
		expect((await workspacesWith(access_token)).status).toBe(401);
	});

	test('a refresh token outlives the access token #refresh-token-lifetime', async () => {
		const { refresh_token } = await connected();
		await fixture.sandbox.control.advanceClock(86_410);
		const renewed = await refresh(refresh_token);
		expect((await workspacesWith(renewed.data.access_token)).status).toBe(200);

		await fixture.sandbox.control.advanceClock(31 * 86_400);
		expect((await refresh(renewed.data.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('a refresh answers with a new refresh token, and the old one is worth nothing #refresh-rotates', async () => {
		const first = await connected();
		const second = await refresh(first.refresh_token);
		expect(second.data.refresh_token).toEqual(expect.any(String));
		expect(second.data.refresh_token).not.toBe(first.refresh_token);
		expect((await workspacesWith(second.data.access_token)).status).toBe(200);
		expect((await refresh(first.refresh_token)).data.error).toBe('invalid_grant');
	});

	test('a refresh may answer without a new refresh token, and the old one goes on #refresh-may-keep', async () => {
		await fixture.sandbox.control.setRefreshTokens('kept');
		const { refresh_token } = await connected();
		for (const round of [1, 2, 3]) {
			const { status, data } = await refresh(refresh_token);
			expect({ round, status }).toEqual({ round, status: 200 });
			expect(data).not.toHaveProperty('refresh_token');
			expect((await workspacesWith(data.access_token)).status).toBe(200);
		}
	});

	test('a user can take access back', async () => {
		const nora = await connected();
		const mira = await connected('mira@agency.example');
		await fixture.sandbox.control.revokeGrants(fixture.sandbox.userEmail);
		expect((await workspacesWith(nora.access_token)).status).toBe(401);
		expect((await refresh(nora.refresh_token)).data.error).toBe('invalid_grant');
		expect((await workspacesWith(mira.access_token)).status).toBe(200);
	});

	test('secrets, codes and tokens are not in the request log', async () => {
		const { code } = await connectAs(fixture.sandbox, fixture.sandbox.userEmail);
		const { data } = await exchange(code);
		const renewed = await refresh(data.refresh_token);
		const log = JSON.stringify(await fixture.sandbox.control.requests());
		const secrets = [
			code,
			fixture.sandbox.applicationSecret,
			...[data, renewed.data].flatMap((each) => [
				each.access_token,
				each.refresh_token,
				each.id_token,
			]),
		];
		expect(log).toContain('authorization_code');
		for (const secret of secrets) expect(log).not.toContain(secret);
	});
});

test('what users have granted survives a restart', async () => {
	const data = folder.file('state.db');
	const before = await startSandbox({ data });
	const { code } = await connectAs(before, before.userEmail);
	const grant = { ...application(), redirect_uri: CALLBACK, code: code ?? '' };
	const tokens = await ask({ ...grant, grant_type: 'authorization_code' }, before.authUrl);
	await before.stop();
	const after = await startSandbox({ data });
	const fields = { ...application(), refresh_token: tokens.data.refresh_token ?? '' };
	const renewed = await ask({ ...fields, grant_type: 'refresh_token' }, after.authUrl);
	expect(renewed.status).toBe(200);
	await after.stop();
});
