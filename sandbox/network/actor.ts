import { AsyncLocalStorage } from 'node:async_hooks';

/** Who acts, and with which call, form or other cause. */
export interface Actor {
	who: string;
	action: string;
}

const current = new AsyncLocalStorage<Actor>();

/** Does work in someone's name, and all that it leaves for later. */
export const actingAs = <T>(actor: Actor, work: () => T): T => current.run(actor, work);

/** Who acts now; what nobody has asked for is the start of the sandbox. */
export const currentActor = (): Actor => current.getStore() ?? { who: 'sandbox', action: 'start' };
