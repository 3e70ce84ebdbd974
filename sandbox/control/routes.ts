import type { XStatic } from 'typebox/schema';
import type { Reply } from './route';
import { deliveryRoutes } from './routes/deliveries';
import { networkRoutes } from './routes/network';
import { serviceRoutes } from './routes/service';

/** Every route of the control API under `/_sandbox`, by the name of the client's call. */
export const routes = { ...networkRoutes, ...deliveryRoutes, ...serviceRoutes };

type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a route gets: its body, or the parameters of its query. */
export type Input<Name extends RouteName> = Routes[Name] extends { body: infer Schema }
	? XStatic<Schema>
	: Routes[Name] extends { query: readonly (infer Parameter extends string)[] }
		? { [P in Parameter]?: string | undefined }
		: unknown;

/** What a route answers. */
export type Output<Name extends RouteName> = Routes[Name] extends {
	response: Reply<infer Body>;
}
	? Body
	: undefined;
