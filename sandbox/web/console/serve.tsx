import type { FastifyInstance } from 'fastify';
import { workspaceViews, type WorkspaceView } from '../../domain/views';
import { allDeposits, receiveDeposit } from '../../domain/deposits';
import { fundingsOfWorkspace } from '../../domain/fundings';
import { invoiceUrl } from '../../domain/invoices';
import { readOutbox } from '../../domain/mail';
import type { Network } from '../../network/network';
import { partnersOfWorkspace } from '../../domain/partners';
import { payablesOfFunding, payablesOfWorkspace } from '../../domain/payables';
import { reviewVendor } from '../../domain/vendor-lifecycle';
import { findVendor } from '../../domain/vendors';
import { HttpError } from '../../shared/errors';
import { readEvents } from '../../network/events';
import { parseDollars } from '../../shared/money';
import { formOf, isClean, queryOf, valueOf, type Errors } from '../../ui/form';
import { sendPage } from '../../ui/page';
import type { PagesContext } from '../context';
import { EventsPage } from './events';
import { parseFault, initialForm } from './fault-form';
import { FaultsPage } from './faults';
import { CONSOLE_ROOT } from './frame';
import { withNotice, noticeOf } from './notices';
import { OutboxPage } from './outbox';
import { RequestsPage } from './requests';
import { WorkspacePage, type WorkspaceDetails } from './workspace';
import { WorkspacesPage, workspacePath } from './workspaces';

/**
 * Serves the buyer console. Whoever reaches it may do everything: the host is this machine, as it is
 * for the control API.
 */
export function serveConsole(app: FastifyInstance, context: PagesContext): void {
	const { network, log } = context;
	app.get(CONSOLE_ROOT, async (_, reply) => {
		await sendPage(reply, <WorkspacesPage workspaces={workspaceViews(network)} />);
	});
	serveWorkspace(app, context);
	serveFaults(app, context);
	app.get(`${CONSOLE_ROOT}/outbox`, async (_, reply) => {
		await sendPage(reply, <OutboxPage mails={readOutbox(network).reverse()} />);
	});
	app.get(`${CONSOLE_ROOT}/requests`, async (request, reply) => {
		const operationId = queryOf(request).get('operationId') ?? '';
		const requests = [...log.read(operationId === '' ? undefined : operationId)].reverse();
		await sendPage(reply, <RequestsPage requests={requests} operationId={operationId} />);
	});
	app.get(`${CONSOLE_ROOT}/events`, async (_, reply) => {
		const names = new Map(workspaceViews(network).map(({ id, displayName }) => [id, displayName]));
		const events = readEvents(network)
			.reverse()
			.map((event) => ({ event, workspace: names.get(event.workspace_id) ?? '' }));
		await sendPage(reply, <EventsPage events={events} />);
	});
	app.get(`${CONSOLE_ROOT}/*`, () => {
		throw new HttpError(404, 'not_found', 'The console has no such page.');
	});
}

function serveWorkspace(app: FastifyInstance, { network, production }: PagesContext): void {
	const path = `${CONSOLE_ROOT}/workspaces/:id`;
	type Named = { Params: { id: string } };

	app.get<Named>(path, async (request, reply) => {
		const workspace = requireWorkspaceView(network, request.params.id);
		const notice = noticeOf(network, queryOf(request));
		const form = production ? undefined : { values: {}, errors: {} };
		const page = { ...workspaceDetails(network, workspace), notice, form };
		await sendPage(reply, <WorkspacePage {...page} />);
	});
	for (const [verb, decision] of [
		['verify', 'verified'],
		['reject', 'rejected'],
	] as const) {
		app.post<Named>(`${path}/${verb}`, async (request, reply) => {
			const { id } = requireWorkspaceView(network, request.params.id);
			const vendor = network.store.transaction(() =>
				reviewVendor(network, valueOf(formOf(request), 'vendor'), decision),
			);
			await reply.redirect(withNotice(workspacePath(id), decision, vendor.id), 303);
		});
	}
	app.post<Named>(`${path}/deposit`, async (request, reply) => {
		const workspace = requireWorkspaceView(network, request.params.id);
		const values = formOf(request);
		const result = deposit(network, workspace.id, valueOf(values, 'amount'));
		if (isClean(result.errors)) {
			await reply.redirect(withNotice(workspacePath(workspace.id), 'deposit', result.id), 303);
			return;
		}
		const page = {
			...workspaceDetails(network, workspace),
			form: { values, errors: result.errors },
		};
		await sendPage(reply, <WorkspacePage {...page} />, 422);
	});
}

/** Lets the written amount arrive; the id of the deposit, or what is wrong with the amount. */
function deposit(
	network: Network,
	workspaceId: string,
	text: string,
): { id?: string; errors: Errors } {
	const amount = parseDollars(text);
	if (amount === undefined || amount > Number.MAX_SAFE_INTEGER) {
		const wrong = 'Enter dollars with at most two decimals, for example 1,234.56.';
		return { errors: { amount: wrong } };
	}
	try {
		const { id } = network.store.transaction(() =>
			receiveDeposit(network, workspaceId, Number(amount)),
		);
		return { id, errors: {} };
	} catch (error) {
		if (error instanceof HttpError) return { errors: { amount: error.message } };
		throw error;
	}
}

function serveFaults(app: FastifyInstance, { network, faults }: PagesContext): void {
	const path = `${CONSOLE_ROOT}/faults`;
	app.get(path, async (request, reply) => {
		const notice = noticeOf(network, queryOf(request));
		await sendPage(reply, <FaultsPage faults={faults.list()} notice={notice} form={initialForm} />);
	});
	app.post(path, async (request, reply) => {
		const values = formOf(request);
		const made = parseFault(values);
		if ('errors' in made) {
			const form = { values, errors: made.errors };
			await sendPage(reply, <FaultsPage faults={faults.list()} form={form} />, 422);
			return;
		}
		faults.inject(made.fault);
		await reply.redirect(withNotice(path, 'fault'), 303);
	});
	app.post(`${path}/clear`, async (_, reply) => {
		faults.clear();
		await reply.redirect(withNotice(path, 'faults-cleared'), 303);
	});
}

function requireWorkspaceView(network: Network, id: string): WorkspaceView {
	const found = workspaceViews(network).find((workspace) => workspace.id === id);
	if (found !== undefined) return found;
	throw new HttpError(404, 'not_found', 'This sandbox has no such workspace, or not any more.');
}

function workspaceDetails(network: Network, workspace: WorkspaceView): WorkspaceDetails {
	const payables = payablesOfWorkspace(network, workspace.id);
	return {
		workspace,
		partners: partnersOfWorkspace(network, workspace.id).map((partner) => ({
			partner,
			vendor: findVendor(network, partner.email),
		})),
		payables,
		fundings: fundingsOfWorkspace(network, workspace.id)
			.reverse()
			.map((funding) => ({
				funding,
				payables: payablesOfFunding(network, funding.id).length,
				invoiceUrl: invoiceUrl(network, funding),
			})),
		deposits: allDeposits(network)
			.filter((one) => one.workspace_id === workspace.id && one.funding_id === null)
			.reverse(),
	};
}
