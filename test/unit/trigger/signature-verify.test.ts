import { createHmac } from 'node:crypto';
import type { INode, IWebhookFunctions } from 'n8n-workflow';

import { handleMissingSecret } from '../../../nodes/PartnerPayments/trigger/missingSecret';
import type { TriggerParameters } from '../../../nodes/PartnerPayments/trigger/parameters';
import { verify } from '../../../nodes/PartnerPayments/trigger/signature';
import { signingSecrets } from '../../../nodes/PartnerPayments/trigger/signingSecrets';

jest.mock('../../../nodes/PartnerPayments/trigger/signingSecrets', () => ({
	signingSecrets: jest.fn(),
}));
jest.mock('../../../nodes/PartnerPayments/trigger/missingSecret', () => ({
	handleMissingSecret: jest.fn(),
}));
const readSecrets = jest.mocked(signingSecrets);
const handleMissing = jest.mocked(handleMissingSecret);

const BODY = Buffer.from('{"id":"event-1"}');
const signatureWith = (secret: string): string =>
	createHmac('sha256', secret).update(BODY).digest('hex');

const PARAMETERS: TriggerParameters = {
	authentication: 'clientCredentials',
	workspaceId: 'workspace-1',
	kinds: ['payablePaid'],
	statuses: [],
	simplify: true,
	acceptsUnsigned: false,
	signatureHeader: 'x-signature',
	identifiers: new Map(),
	subscription: { urlKey: 'url', eventsKey: 'events', extraFields: {} },
};

/** A delivery to a trigger. */
interface Delivery {
	headers: Record<string, string | string[]>;
	mode: string;
	workflow: string;
	node: string;
	credential: string;
	parameters: Partial<TriggerParameters>;
}

let triggers = 0;

/** A trigger that no other test uses, since secrets that have verified a delivery are cached. */
function newTrigger(): Omit<Delivery, 'headers'> {
	triggers += 1;
	return {
		mode: 'trigger',
		workflow: `workflow-${triggers}`,
		node: 'node-1',
		credential: 'credential-1',
		parameters: {},
	};
}

async function deliver({ headers, mode, workflow, node, credential, parameters }: Delivery) {
	const functions: Partial<Record<keyof IWebhookFunctions, () => unknown>> = {
		getHeaderData: () => headers,
		getMode: () => mode,
		getWorkflow: () => ({ id: workflow }),
		getNode: (): Partial<INode> => ({
			id: node,
			credentials: { partnerPaymentsApi: { id: credential, name: 'Partner Payments' } },
		}),
	};
	const n8n = functions as unknown as IWebhookFunctions;
	return await verify(n8n, { ...PARAMETERS, ...parameters }, BODY);
}

const signed = (secret: string) => ({ 'x-signature': signatureWith(secret) });

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	handleMissing.mockReset();
	readSecrets.mockReset();
	readSecrets.mockResolvedValue({ secrets: ['one', 'two'], isLost: false });
});
afterEach(() => {
	jest.useRealTimers();
});

describe('a delivery', () => {
	test.each<[what: string, headers: Delivery['headers'], expected: string]>([
		['signed with the first secret', signed('one'), 'verified'],
		['signed with the second secret', signed('two'), 'verified'],
		[
			'with several signatures, the first one right',
			{
				'x-signature': [signatureWith('one'), 'other'],
			},
			'verified',
		],
		[
			'with several signatures, the first one wrong',
			{
				'x-signature': ['other', signatureWith('one')],
			},
			'rejected',
		],
		['signed with another secret', signed('other'), 'rejected'],
		['without a signature', {}, 'rejected'],
		['signed in another header', { 'x-other': signatureWith('one') }, 'rejected'],
	])('%s is %s', async (_, headers, expected) => {
		expect(await deliver({ ...newTrigger(), headers })).toBe(expected);
	});

	test('is checked by the header that the user named', async () => {
		const parameters = { signatureHeader: 'x-other' };
		const headers = { 'x-other': signatureWith('one') };
		expect(await deliver({ ...newTrigger(), headers, parameters })).toBe('verified');
	});

	test('is unsigned where no secret is known and the user accepts that', async () => {
		readSecrets.mockResolvedValue({ secrets: [], isLost: false });
		const trigger = { ...newTrigger(), parameters: { acceptsUnsigned: true } };
		expect(await deliver({ ...trigger, headers: {} })).toBe('unsigned');
		expect(await deliver({ ...trigger, headers: signed('one') })).toBe('unsigned');
		expect(handleMissing).not.toHaveBeenCalled();
	});

	test('is rejected where a secret is known, though the user accepts unsigned ones', async () => {
		const trigger = { ...newTrigger(), parameters: { acceptsUnsigned: true } };
		expect(await deliver({ ...trigger, headers: {} })).toBe('rejected');
		expect(await deliver({ ...trigger, headers: signed('other') })).toBe('rejected');
	});

	test('is rejected where no secret is known, which is said', async () => {
		readSecrets.mockResolvedValue({ secrets: [], isLost: false });
		const trigger = newTrigger();
		expect(await deliver({ ...trigger, headers: {} })).toBe('rejected');
		expect(await deliver({ ...trigger, headers: signed('one') })).toBe('rejected');
		expect(handleMissing.mock.calls.map(([, , isLost]) => isLost)).toEqual([false, false]);
	});

	test('is rejected where secrets are known that cannot be read any more, which is said', async () => {
		readSecrets.mockResolvedValue({ secrets: [], isLost: true });
		const trigger = { ...newTrigger(), parameters: { acceptsUnsigned: true } };
		expect(await deliver({ ...trigger, headers: signed('one') })).toBe('rejected');
		readSecrets.mockResolvedValue({ secrets: ['one'], isLost: true });
		expect(await deliver({ ...trigger, headers: signed('one') })).toBe('rejected');
		expect(handleMissing.mock.calls.map(([, , isLost]) => isLost)).toEqual([true, true]);
	});
});

describe('the secrets of a trigger', () => {
	test('are read once in ten seconds, as long as they verify deliveries', async () => {
		const delivery = { ...newTrigger(), headers: signed('one') };
		expect(await deliver(delivery)).toBe('verified');
		jest.setSystemTime(9_999);
		readSecrets.mockResolvedValue({ secrets: [], isLost: true });
		expect(await deliver(delivery)).toBe('verified');
		expect(readSecrets).toHaveBeenCalledTimes(1);
		jest.setSystemTime(10_000);
		expect(await deliver(delivery)).toBe('rejected');
	});

	test('are read again for a delivery that the cached ones do not verify', async () => {
		const trigger = newTrigger();
		expect(await deliver({ ...trigger, headers: signed('one') })).toBe('verified');
		expect(await deliver({ ...trigger, headers: signed('new') })).toBe('rejected');
		readSecrets.mockResolvedValue({ secrets: ['new'], isLost: false });
		expect(await deliver({ ...trigger, headers: signed('new') })).toBe('verified');
		expect(readSecrets).toHaveBeenCalledTimes(3);
	});

	test.each<[what: string, change: Partial<Delivery>]>([
		['mode', { mode: 'manual' }],
		['workflow', { workflow: 'another' }],
		['node', { node: 'another' }],
		['credential', { credential: 'another' }],
		['authentication', { parameters: { authentication: 'oAuth2' } }],
		['workspace', { parameters: { workspaceId: 'another' } }],
	])('are not used for another %s', async (_, change) => {
		const delivery = { ...newTrigger(), headers: signed('one') };
		expect(await deliver(delivery)).toBe('verified');
		readSecrets.mockResolvedValue({ secrets: ['another'], isLost: false });
		expect(await deliver({ ...delivery, ...change })).toBe('rejected');
	});
});
