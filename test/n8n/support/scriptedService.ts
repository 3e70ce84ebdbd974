import { ScriptedService } from '../../engine/scriptedService';
import { useResource } from './resource';

/** A server that answers the tests of a file as they say, at an address that no credential names. */
export const useScriptedService = (): (() => ScriptedService) =>
	useResource(
		async () => {
			const service = new ScriptedService();
			await service.start();
			service.useScript(() => ({ body: {} }));

			return service;
		},
		async (service) => {
			await service.stop();
		},
	);
