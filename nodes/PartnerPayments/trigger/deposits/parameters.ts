import type { IGetNodeParameterOptions } from 'n8n-workflow';

import { readAuthentication, type Authentication } from '../../service/auth/credentials';
import { readWorkspaceId } from '../../shared/workspaceId';

/** What the deposit trigger is set to. */
interface DepositTriggerParameters {
	authentication: Authentication;
	workspaceId: string;
	/** Whether deposits start the workflow that were there before its first poll. */
	includesExisting: boolean;
}

/**
 * Reads what the deposit trigger is set to.
 *
 * @param value the value of a parameter, empty when it is not set
 * @throws InputError when it cannot be used
 */
export function readParameters(
	value: (name: string, options?: IGetNodeParameterOptions) => unknown,
): DepositTriggerParameters {
	return {
		authentication: readAuthentication(value('authentication')),
		workspaceId: readWorkspaceId(value('workspaceId', { extractValue: true })).toLowerCase(),
		includesExisting: value('options.includeExisting') === true,
	};
}
