import { type Services, startServices } from '../../../tools/services';
import { useResource } from '../../n8n/support/resource';

/** Answers n8n for the services of others during the tests of a file. */
export const useServices = (): (() => Services) =>
	useResource(startServices, ({ stop }) => {
		stop();
	});
