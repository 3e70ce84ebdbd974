import type { AxiosInstance } from 'axios';
import type { Route } from './route';
import { routes, type Input, type Output, type RouteName } from './routes';

type Routes = typeof routes;

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

type Arguments<Name extends RouteName> = Routes[Name] extends { arguments: infer Names }
	? Positional<Input<Name>, Names>
	: unknown extends Input<Name>
		? []
		: object extends Input<Name>
			? [input?: Input<Name>]
			: [input: Input<Name>];

type Result<Name extends RouteName> = Routes[Name] extends {
	result: infer Field extends keyof Output<Name>;
}
	? Output<Name>[Field]
	: Output<Name>;

/** One call for every route of the control API. A call throws axios' error when it is refused. */
export type ControlCalls = {
	[Name in RouteName]: (...args: Arguments<Name>) => Promise<Result<Name>>;
};

/** The calls of the control API through a client whose base URL is that of the control API. */
export function controlCalls(http: AxiosInstance): ControlCalls {
	const call = async (route: Route, args: unknown[]): Promise<unknown> => {
		const input = route.arguments
			? Object.fromEntries(route.arguments.map((name, index) => [name, args[index]]))
			: args[0];
		const { data } = await http.request<Record<string, unknown>>({
			method: route.method,
			url: route.path,
			...(route.query === undefined ? { data: input ?? {} } : { params: input }),
		});
		return route.result === undefined ? data : data[route.result];
	};
	const calls = Object.entries<Route>(routes).map(([name, route]) => [
		name,
		async (...args: unknown[]) => await call(route, args),
	]);
	// Arguments and results are those of the same route, which a list of entries cannot express.
	return Object.fromEntries(calls) as ControlCalls;
}
