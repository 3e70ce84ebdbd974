import { createHmac } from 'node:crypto';

import { FakeTrigger, OTHER_WORKSPACE, type Receipt, SECRET } from './fakeTrigger';

const BODY = JSON.stringify({ id: 'event-1', type: 'payable.paid', data: { id: 'payable-1' } });
const signatureWith = (secret: string): string =>
	createHmac('sha256', secret).update(BODY).digest('hex');

let trigger: FakeTrigger;

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	trigger = new FakeTrigger();
	trigger.credentials.webhookSigningSecret = 'one';
});

afterEach(() => {
	jest.useRealTimers();
});

const deliver = async (by: Parameters<FakeTrigger['deliver']>[1]): Promise<Receipt['status']> =>
	(await trigger.deliver(BODY, by)).status;

describe('a delivery', () => {
	test.each<[what: string, by: string | Record<string, string | string[]>, status: number]>([
		['signed with the secret', 'one', 200],
		['whose first signature is right', { 'x-signature': [signatureWith('one'), 'other'] }, 200],
		['whose first signature is wrong', { 'x-signature': ['other', signatureWith('one')] }, 401],
	])('%s is answered as it has to be', async (_, by, status) => {
		expect(await deliver(by)).toBe(status);
	});

	test('is checked by the header that the user named', async () => {
		trigger.options = { signatureHeader: 'X-Other' };

		expect(await deliver({ 'x-other': signatureWith('one') })).toBe(200);
	});
});

describe('a signing secret of blanks', () => {
	beforeEach(() => {
		trigger.credentials.webhookSigningSecret = ' \t ';
	});

	test('signs nothing', async () => {
		expect(await deliver(' \t ')).toBe(401);
	});

	test('counts as none: that of the subscription signs', async () => {
		trigger.answer = () => ({ body: { secret: SECRET } });
		await trigger.publish();

		expect(await deliver(' \t ')).toBe(401);
		expect(await deliver(SECRET)).toBe(200);
	});

	test('keeps a workflow from being published, as a missing one does', async () => {
		trigger.answer = () => ({ body: {} });

		await expect(trigger.publish()).rejects.toThrow('signing secret');
	});
});

describe('the secrets of a trigger', () => {
	test('are read once in ten seconds, as long as they verify deliveries', async () => {
		const another = { type: 'payable.paid', data: { id: 'payable-2' } };

		expect(await deliver('one')).toBe(200);

		trigger.credentials.webhookSigningSecret = 'new';
		jest.setSystemTime(9_999);

		expect((await trigger.deliver(another, 'one')).items).toMatchObject([{ verified: true }]);

		jest.setSystemTime(10_000);

		expect(await deliver('one')).toBe(401);
	});

	test('are read twice at most for many deliveries at once', async () => {
		const bodies = Array.from({ length: 20 }, (_, index) => ({
			type: 'payable.paid',
			data: { id: `payable-${index}` },
		}));

		const receipts = await Promise.all(
			bodies.map(async (body) => await trigger.deliver(body, { 'x-signature': 'wrong' })),
		);

		expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set([401]));
		expect(trigger.credentialReads).toBeLessThanOrEqual(2);
	});

	test('are read again for a delivery that the cached ones do not verify', async () => {
		expect([await deliver('one'), await deliver('new')]).toEqual([200, 401]);

		trigger.credentials.webhookSigningSecret = 'new';

		expect([await deliver('new'), await deliver('one')]).toEqual([200, 401]);
	});

	test.each<[what: string, change: () => void]>([
		['mode', () => (trigger.mode = 'manual')],
		['workflow', () => (trigger.workflow = 'another')],
		['node', () => (trigger.node = { id: 'another' })],
		['credential', () => (trigger.node = { credentials: {} })],
		['authentication', () => (trigger.parameters.authentication = 'oAuth2')],
		['workspace', () => (trigger.parameters.workspaceId = OTHER_WORKSPACE)],
	])('are not used for another %s', async (_, change) => {
		expect(await deliver('one')).toBe(200);

		trigger.credentials.webhookSigningSecret = 'another';
		change();

		expect(await deliver('one')).toBe(401);
	});
});
