import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { HttpError } from '../../shared/errors';
import { SelectLabel } from '../../ui/fields';
import { Live, sendLivePage } from '../../ui/page';
import { serveActions } from './actions';
import { serveBuyer } from './buyer';
import { DeliveryPage, RecordPage, RequestPage } from './details';
import { FaultsPage, MagicPage } from './failures';
import { ResetPage } from './reset';
import { SettingsPage } from './settings';
import {
	ConsolePage,
	consolePath,
	CONSOLE_ROOT,
	isPart,
	pathOf,
	type PageRequest,
	type PagesContext,
} from './frame';
import { ListTable, lists, type ListName } from './lists';
import type { List } from './rows';
import { OverviewPage } from './overview';
import { WorkspacePage, WorkspacesPage } from './workspaces';

const ROWS_ON_A_PAGE = 50;

const ListPage = ({ context, url, name }: PageRequest & { name: ListName }) => {
	const { network } = context;
	const { choices = {}, listing, caption }: List = lists[name];
	const { sorts } = listing;
	const query = new URL(pathOf(url), url).searchParams;
	const selects: Record<string, readonly string[]> = { ...choices };
	if (sorts !== undefined) {
		selects['sort'] = Object.keys(sorts);
	}

	const kept = [...query].filter(
		([each]) => !(each in selects) && each !== 'q' && each !== 'after',
	);

	const isOwnPart = isPart(name);
	return (
		<ConsolePage
			context={context}
			part={isOwnPart ? name : 'workspaces'}
			url={url}
			title={isOwnPart ? undefined : caption}
		>
			<form class="row" action={consolePath(name)}>
				{kept.map(([each, value]) => (
					<input key={each} type="hidden" name={each} value={value} />
				))}
				<div class="field">
					<label for="field-q">Search</label>
					<input id="field-q" type="search" name="q" value={query.get('q') ?? ''} />
				</div>
				{Object.entries(selects).map(([each, values]) => (
					<SelectLabel
						key={each}
						name={each}
						value={query.get(each) ?? ''}
						values={values}
						all={each === 'sort' ? 'newest' : 'all'}
					/>
				))}
				<button class="second">Filter</button>
			</form>
			<Live url={pathOf(url)}>
				<ListTable
					store={network.store}
					name={name}
					query={query}
					limit={ROWS_ON_A_PAGE}
					back={pathOf(url)}
				/>
			</Live>
		</ConsolePage>
	);
};

/** Without authentication, as the control API: the host is this machine. */
export function serveConsole(app: FastifyInstance, context: PagesContext): void {
	const page = (path: string, render: (request: PageRequest) => VNode) =>
		app.get<{ Params: { id?: string } }>(path, async (request, reply) => {
			const pageRequest = { context, url: urlOf(request), id: request.params.id ?? '' };
			await sendLivePage(request, reply, context.network.store, () => render(pageRequest));
		});

	// Its picture of the last minutes changes with time alone.
	app.get(CONSOLE_ROOT, async (request, reply) => {
		const minute = Math.floor(Date.now() / 60_000);
		const render = () => <OverviewPage context={context} url={urlOf(request)} id="" />;
		await sendLivePage(request, reply, context.network.store, render, minute);
	});

	page(consolePath('workspaces'), (request) => <WorkspacesPage {...request} />);
	page(consolePath('workspaces/:id'), (request) => <WorkspacePage {...request} />);

	for (const name of Object.keys(lists) as ListName[]) {
		page(consolePath(name), (request) => <ListPage {...request} name={name} />);
	}

	page(consolePath('records/:id'), (request) => <RecordPage {...request} />);
	page(consolePath('deliveries/:id'), (request) => <DeliveryPage {...request} />);
	page(consolePath('requests/:id'), (request) => <RequestPage {...request} />);
	page(consolePath('faults'), (request) => <FaultsPage {...request} />);
	page(consolePath('magic'), (request) => <MagicPage {...request} />);
	page(consolePath('reset'), (request) => <ResetPage {...request} />);
	page(consolePath('settings'), (request) => <SettingsPage {...request} />);
	serveActions(app, context);
	serveBuyer(app, context);
	app.get(`${CONSOLE_ROOT}/*`, () => {
		throw new HttpError(404, 'not_found', 'The console has no such page.');
	});
}

const urlOf = (request: FastifyRequest): URL => new URL(request.url, 'http://localhost');
