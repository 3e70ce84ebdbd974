import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '../../control/routeTypes';
import { CONTROL_ROOT } from '../../control/routes';
import { requireOwnOrigin } from '../../http/origin';
import { actingAs } from '../../network/actor';
import { HttpError } from '../../shared/errors';
import { ErrorSummary, Fields } from '../../ui/fields';
import {
	formOf,
	isClean,
	ofKind,
	queryOf,
	readForm,
	type Errors,
	type FormSchema,
	type Values,
} from '../../ui/form';
import { sendPage } from '../../ui/page';
import { Table, type Column } from '../../ui/table';
import { ConsolePage, consolePath, CONSOLE_ROOT, type PagesContext } from './frame';

/** A form that does what a route does, with fields by the schema of the route. */
export const RouteForm = (props: {
	name: string;
	route: Route;
	button: string;
	values?: Values;
	errors?: Errors;
	/** Fields that are sent along and not shown. */
	hidden?: readonly string[];
	back: string;
	layout?: 'row' | 'grid';
}) => {
	const { name, route, button, values = {}, errors, hidden, back, layout } = props;
	const schema = ofKind(route.body ?? {}, values['kind']);
	return (
		<form
			method="post"
			action={consolePath(`do/${name}`)}
			class={layout === 'row' ? 'row' : undefined}
			novalidate
		>
			<input type="hidden" name="back" value={back} />
			<div class={layout}>
				<Fields schema={schema} values={values} errors={errors} hidden={hidden} />
			</div>
			<button>{button}</button>
		</form>
	);
};

/** Routes whose bodies are for programs to write. */
const FOR_PROGRAMS = ['seed', 'emitEvents', 'importState'];

type NamedRoute = Route & { name: string };

const controlColumns: Column<NamedRoute>[] = [
	{
		name: 'Control',
		cell: ({ name, summary }) =>
			FOR_PROGRAMS.includes(name) ? summary : <a href={consolePath(`do/${name}`)}>{summary}</a>,
	},
	{ name: 'Call', cell: ({ method, path }) => <code>{`${method} ${CONTROL_ROOT}${path}`}</code> },
];

const ControlPage = ({ context, url }: { context: PagesContext; url: URL }) => (
	<ConsolePage context={context} part="settings" title="All controls" url={url}>
		<p>Each control is a form here, and a call of the control API for programs and tests.</p>
		<Table
			caption="Controls and their calls"
			columns={controlColumns}
			rows={Object.entries<Route>(context.routes)
				.filter(([, { method }]) => method !== 'GET')
				.map(([name, route]): NamedRoute => ({ name, ...route }))}
			idOf={({ name }) => name}
			empty=""
		/>
	</ConsolePage>
);

type Named = { Params: { name: string } };

/** Serves the forms of the routes; what they do is what the control API does. */
export function serveActions(app: FastifyInstance, context: PagesContext): void {
	app.get(consolePath('control'), async (request, reply) => {
		await sendPage(reply, <ControlPage context={context} url={urlOf(request)} />);
	});

	app.get<Named>(consolePath('do/:name'), async (request, reply) => {
		const values = Object.fromEntries(queryOf(request));
		const page = formPage(context, request, { values, errors: {} });
		await sendPage(reply, page);
	});

	const onlyFromHere = { onRequest: requireOwnOrigin };
	app.post<Named>(consolePath('do/:name'), onlyFromHere, async (request, reply) => {
		await act(context, request, reply);
	});
}

const urlOf = (request: FastifyRequest): URL => new URL(request.url, 'http://localhost');

/** @throws HttpError 404 when there is no such route, or none that changes something */
function routeOf({ routes }: PagesContext, name: string): Route {
	const route = new Map(Object.entries<Route>(routes)).get(name);
	if (route === undefined || route.method === 'GET') {
		throw new HttpError(404, 'not_found', 'The console has no such control.');
	}

	return route;
}

function formPage(
	context: PagesContext,
	request: FastifyRequest<Named>,
	{ values, errors }: { values: Values; errors: Errors },
) {
	const { name } = request.params;
	const route = routeOf(context, name);
	const heading = ofKind(route.body ?? {}, values['kind']).title ?? route.summary;
	return (
		<ConsolePage
			context={context}
			part="settings"
			title={isClean(errors) ? heading : `Error: ${heading}`}
			heading={heading}
			url={urlOf(request)}
		>
			<ErrorSummary errors={errors} />
			<RouteForm
				name={name}
				route={route}
				values={values}
				errors={errors}
				button="Do it"
				back={values['back'] ?? consolePath('control')}
			/>
		</ConsolePage>
	);
}

/** Does what a form says, and goes back to the page it was on; else shows the form with what is wrong. */
async function act(
	context: PagesContext,
	request: FastifyRequest<Named>,
	reply: FastifyReply,
): Promise<void> {
	const { name } = request.params;
	const route = routeOf(context, name);
	const values = formOf(request);
	const schema: FormSchema = ofKind(route.body ?? {}, values['kind']);
	const { input, errors } = readForm(schema, values);
	if (!isClean(errors)) {
		await sendPage(reply, formPage(context, request, { values, errors }), 422);
		return;
	}

	try {
		// The schema has just been checked.
		const handle = route.handle as (input: unknown) => unknown;
		await actingAs({ who: 'console', action: name }, () => handle(input));
	} catch (error) {
		if (!(error instanceof HttpError)) {
			throw error;
		}

		const refused = { values, errors: { '': error.message } };
		await sendPage(reply, formPage(context, request, refused), error.status);
		return;
	}

	context.network.store.touch();
	await reply.redirect(comeBack(values['back'] ?? '', name), 303);
}

/** The page to come back to, which says what was done; only pages of the console. */
export function comeBack(back: string, done?: string): string {
	const url = consolePage(back) ?? new URL(CONSOLE_ROOT, HERE);
	if (done !== undefined) {
		url.searchParams.set('done', done);
	}

	return url.pathname + url.search;
}

const HERE = 'http://localhost';

/** A page of the console as a browser reads its address: with dots, backslashes and control characters resolved. */
function consolePage(address: string): URL | undefined {
	const url = URL.parse(address, HERE);
	if (url?.origin !== HERE) {
		return undefined;
	}

	const isOwn = url.pathname === CONSOLE_ROOT || url.pathname.startsWith(`${CONSOLE_ROOT}/`);
	return isOwn ? url : undefined;
}
