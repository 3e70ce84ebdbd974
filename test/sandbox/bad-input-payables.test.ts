import type { AxiosRequestConfig } from 'axios';
import { errorOf, SandboxFixture } from './fixture';

const fixture = new SandboxFixture();
const base = () => ({
	workspace_id: fixture.sandbox.workspaceId,
	payee_email: 'ana@example.com',
	amount: 1000,
});
type Case = [what: string, fields: Record<string, unknown>, field: string];

beforeEach(async () => await fixture.sandbox.control.reset());

describe('a malformed payable answers 400 and names the field', () => {
	const cases: Case[] = [
		['no workspace', { workspace_id: undefined }, 'workspace_id'],
		['a workspace that is no UUID', { workspace_id: 'main' }, 'workspace_id'],
		['no payee', { payee_email: undefined }, 'payee_service_id'],
		['a payee that is no address', { payee_email: 'ana' }, 'payee_email'],
		['no amount', { amount: undefined }, 'amount'],
		['an amount of nothing', { amount: 0 }, 'amount'],
		['a negative amount', { amount: -5 }, 'amount'],
		['half a cent', { amount: 10.5 }, 'amount'],
		['an amount in quotes', { amount: '1000' }, 'amount'],
		['an amount of null', { amount: null }, 'amount'],
		['an amount beyond exact numbers', { amount: 9007199254740992 }, 'amount'],
		['another currency', { amount_denomination: 'eur_cents' }, 'amount_denomination'],
		['a due date without a time', { due_date: '2030-01-31' }, 'due_date'],
		['a due date that is not UTC', { due_date: '2030-01-31T00:00:00+02:00' }, 'due_date'],
		['a send_invite that is no boolean', { send_invite: 'yes' }, 'send_invite'],
		['line items that are no list', { line_items: {} }, 'line_items'],
		[
			'a line item without an amount',
			{ line_items: [{ description: 'x' }] },
			'line_items[0].amount',
		],
		[
			'a line item without a description',
			{ line_items: [{ amount: 1000 }] },
			'line_items[0].description',
		],
	];
	test.each(cases)('%s', async (_, fields, field) => {
		const response = await fixture.api.post('/payable', { ...base(), ...fields });
		expect(errorOf(response)).toMatchObject({ status: 400, code: 'invalid_request' });
		expect(response.data).toMatchObject({
			error: { details: expect.arrayContaining([expect.objectContaining({ field })]) as unknown },
		});
		expect(await fixture.sandbox.control.payables()).toEqual([]);
	});

	test('several faults at once are all named', async () => {
		const { message } = errorOf(
			await fixture.api.post('/payable', { payee_email: 'x', amount: 'y' }),
		);
		expect(message).toMatch(/workspace_id.*payee_email.*amount/);
	});
});

describe('a payable that cannot be answers 422', () => {
	const cases: [what: string, fields: Record<string, unknown>, code: string][] = [
		['unknown network identifier', { payee_service_id: 'ven_nobody' }, 'unknown_payee'],
		['an address as identifier', { payee_service_id: 'ana@example.com' }, 'unknown_payee'],
		['two different payees', { payee_service_id: 'ven_ben' }, 'contradictory_payee'],
		[
			'line items that do not add up',
			{ line_items: [{ amount: 999, description: 'x' }] },
			'line_items_mismatch',
		],
		[
			'line items beyond exact numbers',
			{
				line_items: [
					{ amount: 9007199254740991, description: 'x' },
					{ amount: 9007199254740991, description: 'y' },
				],
			},
			'line_items_mismatch',
		],
	];
	test.each(cases)('%s', async (_, fields, code) => {
		const response = await fixture.api.post('/payable', { ...base(), ...fields });
		expect(errorOf(response)).toMatchObject({ status: 422, code });
		expect(await fixture.sandbox.control.payables()).toEqual([]);
	});
});

describe('a malformed body', () => {
	const json = { 'content-type': 'application/json' };
	const cases: [string, string, Record<string, string>, number, string][] = [
		['broken JSON', '{"amount": 1', json, 400, 'invalid_json'],
		['a number', '5', json, 400, 'invalid_json'],
		['a list', '[]', json, 400, 'invalid_json'],
		['null', 'null', json, 400, 'invalid_json'],
		['nothing', '', json, 400, 'invalid_json'],
		['text', 'amount=1', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
		[
			'a form',
			'amount=1',
			{ 'content-type': 'application/x-www-form-urlencoded' },
			415,
			'unsupported_media_type',
		],
		['a body too large', `"${'x'.repeat(1_100_000)}"`, json, 413, 'body_too_large'],
	];
	test.each(cases)('%s', async (_, body, headers, status, code) => {
		const config: AxiosRequestConfig = { headers, transformRequest: [(data: unknown) => data] };
		const response = await fixture.api.post('/payable', body, config);
		expect(errorOf(response)).toMatchObject({ status, code });
	});
});
