import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { ServiceError } from '../service/http/errors';
import { InputError } from '../shared/inputError';

/** Makes an error handler that says why the trigger cannot be activated, as n8n shows it. */
export const rethrowTo =
	(n8n: IHookFunctions) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
		throw new NodeOperationError(n8n.getNode(), error.message, { description: error.hint });
	};
