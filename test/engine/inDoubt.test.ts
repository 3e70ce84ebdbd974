import type { INodeParameters } from 'n8n-workflow';

import type { Answer } from './scriptedService';
import {
	byId,
	executeOperation,
	funding,
	payable,
	startScriptedService,
	WORKSPACE,
} from './support';

const service = startScriptedService();
const workspaceId = byId(WORKSPACE);

describe('an unclear answer', () => {
	const HTML_502: Answer = {
		status: 502,
		body: '<html><title>Bad Gateway</title></html>',
		type: 'text/html',
	};
	const answers: [name: string, answer: Answer][] = [
		['a 500', { status: 500, body: { message: 'Oops' } }],
		['an HTML 502', HTML_502],
		['a cut connection', 'cut'],
	];
	const empty: [name: string, answer: Answer][] = [
		['an empty 200', { body: '' }],
		['a 200 with an empty object', { body: {} }],
		[
			'a 200 nested beyond reading',
			{ body: '['.repeat(60_000) + ']'.repeat(60_000), type: 'application/json' },
		],
		['a 200 of HTML', { body: '<html><title>Hello</title></html>', type: 'text/html' }],
	];
	const invitation = { workspaceId, payeeEmail: 'ana@example.com' };
	const subscription = { workspaceId, url: 'https://h.example.com', events: ['payablePaid'] };
	const nonIdempotent: [operation: string, parameters: INodeParameters, answers: typeof answers][] =
		[
			['payable.create', payable(), [...answers, ...empty]],
			['funding.create', funding(), [...answers, ...empty]],
			['partner.invite', invitation, answers],
			['webhookSubscription.create', subscription, answers],
			['deposit.simulate', { workspaceId, amount: '1' }, answers],
		];
	const inDoubt = nonIdempotent.flatMap(([operation, parameters, all]) =>
		all.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(inDoubt)(
		'$name leaves $operation in doubt',
		async ({ operation, parameters, answer }) => {
			service.useScript(() => answer);
			const { items, error } = await executeOperation(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^In doubt whether the request to .* \[item 0\]$/),
					details: {
						hint: expect.stringMatching(
							/^It may have\. .* do it in no other way\. .*POST \/.* with \{/,
						),
						in_doubt: true,
						...(typeof answer === 'object' && { status: answer.status ?? 200 }),
					},
				},
			]);
			expect(service.requests).toHaveLength(1);
		},
	);

	const repeatable = [
		['wallet.get', { workspaceId }],
		['workspace.get', { workspaceId }],
		['payable.approve', { payableId: 'p1' }],
		['funding.linkDeposit', { fundingId: 'f1', depositId: 'd1' }],
		['funding.getInvoicePdf', { fundingId: 'f1' }],
	] as const;
	const certain = repeatable.flatMap(([operation, parameters]) =>
		answers.map(([name, answer]) => ({ operation, parameters, name, answer })),
	);

	test.each(certain)(
		'$name does not leave $operation in doubt',
		async ({ operation, parameters, answer }) => {
			service.useScript(() => answer);
			const { items } = await executeOperation(service, operation, parameters, {
				onError: 'continueRegularOutput',
			});
			expect(items.map(({ json }) => json)).toEqual([
				{
					error: expect.stringMatching(/^Could not .*, tried 5 times \[item 0\]$/),
					details: {
						hint: expect.stringMatching(/^[A-Z].*\.$/),
						in_doubt: false,
						...(typeof answer === 'object' && { status: answer.status }),
					},
				},
			]);
			expect(service.requests).toHaveLength(5);
		},
	);

	test.each(['wallet.get', 'workspace.get', 'deposit.getAll', 'workspace.getInviteLink'])(
		'an empty 200 to %s is an error',
		async (operation) => {
			service.useScript(() => ({ body: '' }));
			const { error } = await executeOperation(service, operation, { workspaceId });
			expect(error?.message).toMatch(/the service answered without .* \(status 200\) \[item 0\]$/);
		},
	);

	test('a server that is not there leaves nothing in doubt', async () => {
		service.useScript(() => ({ body: {} }));
		const credentials = { apiBaseUrl: 'http://localhost:1' };
		const { items } = await executeOperation(service, 'funding.create', funding(), {
			credentials,
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{
				error:
					'Could not create the funding: localhost:1 cannot be reached, nothing answers at that address, tried 5 times [item 0]',
				details: { hint: expect.stringMatching(/Nothing was changed\.$/), in_doubt: false },
			},
		]);
	});
});
