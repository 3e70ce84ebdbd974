import { deliveryRoutes } from './deliveryRoutes';
import { networkRoutes } from './networkRoutes';
import type { ControlContext } from './routeTypes';
import { serviceRoutes } from './serviceRoutes';
import { stateRoutes } from './stateRoutes';

/** The path of the control API on the API's host. It has no authentication: the host is this machine. */
export const CONTROL_ROOT = '/_sandbox';

/** Every route of the control API, by the name of the client's call. */
export const controlRoutes = (context: ControlContext) => ({
	...networkRoutes(context),
	...deliveryRoutes(context),
	...serviceRoutes(context),
	...stateRoutes(context),
});

export type ControlRoutes = ReturnType<typeof controlRoutes>;
