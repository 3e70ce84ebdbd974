import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import {
	byId,
	executeOperation,
	funding,
	jsonOf,
	payable,
	sent,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('a request that fails at first', () => {
	const TOO_MANY: Answer = { status: 429, body: { message: 'Slow down' } };
	const asking = (seconds: string): Answer => ({
		...TOO_MANY,
		headers: { 'Retry-After': seconds },
	});
	const BROKEN: Answer = { status: 503, body: { message: 'Oops' } };
	const SUCCESS: Answer = { body: { id: 'p1' } };
	const SET_BEFORE: Answer = { status: 409, body: { message: 'It is approved already' } };
	const approval = { payableId: 'p1' };

	test.each<[operation: string, parameters: INodeParameters, before: Answer[]]>([
		['payable.create', payable(), [TOO_MANY, asking('0'), asking('30'), TOO_MANY]],
		['funding.create', funding(), [asking(new Date(Date.now() + 60_000).toUTCString())]],
		['payable.approve', approval, [BROKEN, 'cut', TOO_MANY, 'cut', BROKEN]],
		['workspace.get', { workspaceId }, ['cut', 'cut', 'cut', 'cut']],
	])('%s is sent again', async (operation, parameters, before) => {
		service.useScript((_, position) => before[position] ?? SUCCESS);
		const { items, error } = await executeOperation(service, operation, parameters);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
		const [first, ...others] = sent(service.requests);
		expect(others).toEqual(before.map(() => first));
		expect(service.tokensIssued).toBe(1);
	});

	test.each<[before: Answer]>([['cut'], [BROKEN]])(
		'an approval that is refused after %j is done: the state is set already',
		async (before) => {
			service.useScript((_, position) => (position === 0 ? before : SET_BEFORE));
			const { items, error } = await executeOperation(service, 'payable.approve', approval);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toEqual([{ id: 'p1' }]);
			expect(service.requests).toHaveLength(2);
		},
	);

	test('an approval that is refused at its first attempt is not done', async () => {
		service.useScript(() => SET_BEFORE);
		const { error } = await executeOperation(service, 'payable.approve', approval);
		expect(error?.message).toContain('"It is approved already" (status 409)');
		expect(service.requests).toHaveLength(1);
	});

	test('a service that blocks the account for hours is asked no more, and the error says for how long', async () => {
		service.useScript(() => asking('7200'));
		const { error } = await executeOperation(service, 'payable.create', payable());
		expect(error?.message).toBe(
			'Could not create the payable: the service takes no request of this account for another 120 minutes [item 0]',
		);
		expect(service.requests).toHaveLength(1);
	});

	test('a download of an invoice is repeated', async () => {
		const pdf: Answer = { body: Buffer.from('%PDF-1.7'), type: 'application/pdf' };
		const answers: Answer[] = [{ body: { pdf_url: `${service.url}/f1.pdf` } }, 'cut', BROKEN, pdf];
		service.useScript((_, position) => answers[position] ?? 'cut');
		const parameters = { fundingId: 'f1', download: true };
		const { items, error } = await executeOperation(service, 'funding.getInvoicePdf', parameters);
		expect(error).toBeUndefined();
		expect(items[0]?.binary).toHaveProperty('data');
		expect(service.requests).toHaveLength(4);
	});
});

test('an execution that is stopped sends nothing more', async () => {
	const controller = new AbortController();
	service.useScript((_, position) => {
		if (position === 2) controller.abort();
		return { status: 429, body: '' };
	});
	const { items } = await executeOperation(service, 'payable.create', payable(), {
		signal: controller.signal,
	});
	expect(items).toEqual([]);
	expect(service.requests).toHaveLength(3);
});
