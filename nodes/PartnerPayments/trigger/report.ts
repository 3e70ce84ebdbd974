import { NodeOperationError, type IHookFunctions } from 'n8n-workflow';

import { ServiceError } from '../service/http/errors';
import { InputError } from '../shared/inputError';

/** Says why the trigger cannot be activated, as n8n shows it. */
export const reportTo =
	(context: IHookFunctions) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
		throw new NodeOperationError(context.getNode(), error.message, { description: error.advice });
	};
