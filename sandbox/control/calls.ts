import type { AxiosInstance } from 'axios';
import type { Route } from './routeTypes';
import type { ControlRoutes } from './routes';

/** The named fields as positional arguments; those that may be left out are optional. */
type Positional<Fields, Names> = Names extends readonly [
	infer Name extends keyof Fields,
	...infer Rest,
]
	? [
			...(object extends Pick<Fields, Name>
				? [value?: Fields[Name] | undefined]
				: [value: Fields[Name]]),
			...Positional<Fields, Rest>,
		]
	: [];

type Input<Name extends keyof ControlRoutes> = Parameters<ControlRoutes[Name]['handle']>[0];
type Output<Name extends keyof ControlRoutes> = Awaited<ReturnType<ControlRoutes[Name]['handle']>>;

type Arguments<Name extends keyof ControlRoutes> = ControlRoutes[Name] extends { args: infer Names }
	? Positional<Input<Name>, Names>
	: object extends Input<Name>
		? [input?: Input<Name>]
		: Input<Name> extends undefined
			? []
			: [input: Input<Name>];

type Result<Name extends keyof ControlRoutes> = ControlRoutes[Name] extends {
	result: infer Field extends keyof Output<Name>;
}
	? Output<Name>[Field]
	: Output<Name>;

/** One call for every route of the control API. A call throws axios' error when it is refused. */
export type ControlCalls = {
	[Name in keyof ControlRoutes]: (...args: Arguments<Name>) => Promise<Result<Name>>;
};

/** What the control API says of a route. */
export type RouteView = Omit<Route, 'handle' | 'body'> & { name: string };

/**
 * The calls of the control API through a client whose base URL is that of the control API. Which
 * routes there are is asked for once, so that nothing of the server is loaded here.
 */
export function controlCalls(http: AxiosInstance): ControlCalls {
	let loaded: Promise<Map<string, RouteView>> | undefined;
	const load = async () => {
		const { data } = await http.get<{ routes: RouteView[] }>('');
		return new Map(data.routes.map((route) => [route.name, route]));
	};

	const call = async (name: string, args: unknown[]): Promise<unknown> => {
		loaded ??= load();

		const routes = await loaded;
		const route = routes.get(name);
		if (route === undefined) {
			throw new Error(`The sandbox has no ${name}.`);
		}

		const input = route.args === undefined ? args[0] : namedInput(route.args, args);
		const content = route.method === 'GET' ? { params: input } : { data: input ?? {} };
		const { data } = await http.request<Record<string, unknown>>({
			method: route.method,
			url: route.path,
			...content,
		});

		return route.result === undefined ? data : data[route.result];
	};

	return new Proxy({} as ControlCalls, {
		get: (_target, name) => {
			// With a "then" it would be taken for a promise.
			if (name === 'then' || typeof name === 'symbol') {
				return undefined;
			}

			return async (...args: unknown[]) => await call(name, args);
		},
	});
}

/** Positional arguments under the names that the route gives them. */
function namedInput(names: readonly string[], args: unknown[]): Record<string, unknown> {
	const input: Record<string, unknown> = {};
	for (const [position, name] of names.entries()) {
		input[name] = args[position];
	}

	return input;
}
