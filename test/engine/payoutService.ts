import type { IDataObject, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import {
	byEmail,
	byId,
	type Changes,
	jsonOf,
	payable,
	startScriptedService,
	tablesOf,
	WORKSPACE,
} from './support';

export const FUNDING = '/v1/funding';

export const ANA = { payee: 'ana@example.com', amount: 100 };
export const BEN = { payee: 'ben@example.com', amount: 200, reference: 'INV-2' };
export const CARLA = { payee: 'carla@example.com', amount: 300, reference: 'INV-3' };

/** How Ben's payout is resolved, which was paid, as a person has found. */
export const PAID = {
	workspaceId: byId(WORKSPACE),
	findBy: 'uniqueReference',
	uniqueReference: BEN.reference,
	outcome: 'paid',
};

/** The rows of a project's ledger. */
export const rowsIn = ({ workflowId = '' }: Changes) => tablesOf(workflowId).tables[0]?.rows ?? [];

export const statusesOf = (items: IDataObject[]): unknown[] => items.map(({ status }) => status);

/** The hints of a run about its payouts. The first run of a project also tells that it made the ledger. */
export const aboutPayouts = (hints: string[]): string[] =>
	hints.filter((hint) => !hint.startsWith('There was no ledger'));

/** A scripted service with a wallet, for the tests of a file, and payouts that are sent to it. */
export function startPayoutService() {
	const service = startScriptedService();

	/** How many IDs the service has given, each once. */
	let ids = 0;

	/** Has the service do what it is asked, from a wallet that holds so much, unless a status says otherwise. */
	const useWallet = (
		balance: number,
		statusOf: (path: string, body: unknown) => number | undefined = () => undefined,
	): void => {
		const common = { balance, pdf_url: 'https://files.example.com/1.pdf' };
		service.useScript(({ url, body }) => {
			const status = statusOf(url, body);
			if (status !== undefined) {
				return { status, body: { message: 'No' } };
			}

			ids += 1;

			return { body: { id: `x${ids}`, ...common } };
		});
	};

	/** Has fundings answered with a status, all of them or those that are chosen. */
	const answerFundings = (
		status: number,
		isChosen: (body: unknown) => boolean = () => true,
	): void => {
		useWallet(1_000_000, (path, body) => (path === FUNDING && isChosen(body) ? status : undefined));
	};

	beforeEach(() => {
		useWallet(1_000_000);
	});

	const execute = async (
		items: IDataObject[],
		{
			options,
			...parameters
		}: Record<string, NodeParameterValueType> & { options?: INodeParameters },
		changes: Changes = {},
	) =>
		await service.execute(
			'payout.send',
			payable({
				payee: byEmail('={{ $json.payee }}'),
				amount: '={{ $json.amount }}',
				options: { amountUnit: 'cents', ...options },
				fundingMethod: 'balance',
				uniqueReference: '={{ $json.reference }}',
				...parameters,
			}),
			{ items, ...changes },
		);

	/** Pays what items ask for; returns the items that come out. */
	const pay = async (
		items: IDataObject[],
		parameters: INodeParameters = {},
		changes: Changes = {},
	): Promise<IDataObject[]> =>
		jsonOf(
			(await execute(items, parameters, { onError: 'continueRegularOutput', ...changes })).items,
		);

	/** The bodies of all fundings that were asked for. */
	const fundings = (): unknown[] =>
		service.requests.filter(({ url }) => url === FUNDING).map(({ body }) => body);

	return { service, useWallet, answerFundings, execute, pay, fundings };
}
