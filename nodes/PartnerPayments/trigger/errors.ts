import { NodeOperationError, type INode } from 'n8n-workflow';

import { ServiceError } from '../api/http/errors';
import { InputError } from '../shared/inputError';

/**
 * Makes an error handler that says why a trigger cannot do its work, as n8n shows it. What to do stands in the
 * message too, since the editor shows nothing else when a workflow is published.
 */
export const rethrowTo =
	(n8n: { getNode: () => INode }) =>
	(error: unknown): never => {
		if (!(error instanceof ServiceError || error instanceof InputError)) throw error;
		throw new NodeOperationError(n8n.getNode(), `${error.message}. ${error.hint}`);
	};
