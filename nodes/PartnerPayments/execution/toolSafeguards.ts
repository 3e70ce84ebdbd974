import { InputError } from '../shared/inputError';
import { isRecord } from '../shared/json';
import type { ItemParameters } from './itemParameters';
import { assertSetByPerson, isTool } from './safeguards';

/** What is another value at each call of a tool, so that each call would be another payment. */
const NEW_AT_EACH_CALL =
	/\$(?:now|runIndex|thisRunIndex|execution)\b|\bDate(?:Time)?\s?(?:\(|\.(?:now|local|utc)\b)|\brandom\w*\(/i;

const FROM_WORKFLOW =
	"Let it come from a node before the agent, such as {{ $('Invoice').item.json.number }}. Whoever chooses the reference can pay the same thing twice.";

/**
 * Sees to it that no model decides which payment it is.
 *
 * @throws InputError when a model would fill in the unique reference, or each call of a tool another one
 */
export function assertReferenceOfWorkflow(item: ItemParameters): void {
	const { node } = item;
	const { uniqueReference: written } = node.parameters;
	assertSetByPerson(written, 'Unique Reference', node, FROM_WORKFLOW);
	const [found] = NEW_AT_EACH_CALL.exec(JSON.stringify(written ?? '')) ?? [];
	if (found === undefined || !isTool(node) || !item.isExpression('uniqueReference')) return;
	throw new InputError(
		`Unique Reference reads ${found}, which gives each call of this tool another one`,
		FROM_WORKFLOW,
	);
}

/**
 * Sees to it that no model decides what holds a payment together: which one it is, whose wallet pays
 * it, whether money moves at all, and what nobody checks. A reference belongs to its workspace, so that
 * the same one in another workspace is another payment.
 *
 * @param method name and label of the parameter that says how it is funded
 * @throws InputError when a model would fill in one of them
 */
export function assertPaymentOfWorkflow(
	item: ItemParameters,
	method: [name: string, label: string],
): void {
	const { node } = item;
	assertReferenceOfWorkflow(item);
	assertSetByPerson(node.parameters.workspaceId, 'Workspace', node);
	assertSetByPerson(node.parameters[method[0]], method[1], node);
	const options: unknown = node.parameters.options;
	if (isRecord(options)) assertSetByPerson(options.additionalFields, 'Additional Fields', node);
}

/** @throws InputError when a model may call it again, and nothing tells one payment from the next */
export function requireReferenceAsTool({ node }: ItemParameters, reference?: string): void {
	if (!isTool(node) || reference !== undefined) return;
	throw new InputError(
		'As a tool of an agent, this operation needs a Unique Reference',
		FROM_WORKFLOW,
	);
}

/** @throws InputError for an operation that is not for models; `reason` ends with its full stop */
export function refuseAsTool({ node }: ItemParameters, reason: string): void {
	if (!isTool(node)) return;
	throw new InputError('This operation is not for the tools of an agent', reason);
}
