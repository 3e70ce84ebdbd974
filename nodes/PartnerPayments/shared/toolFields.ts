import type { INodeProperties } from 'n8n-workflow';

const GUIDE =
	'https://github.com/partner-payments/n8n-nodes-partner-payments/blob/main/docs/agents.md';
const REFERENCE = 'Unique Reference comes from a node before the agent, never from the agent.';

/** Shows a field in n8n's twin of the node alone, which agents call as a tool. */
const inTools: Pick<INodeProperties, 'displayOptions'> = {
	displayOptions: { show: { '@tool': [true] } },
};

const notice = (name: string, text: string): INodeProperties => ({
	displayName: `${text} <a href="${GUIDE}" target="_blank">Learn more</a>.`,
	name,
	type: 'notice',
	default: '',
	...inTools,
});

/** What a person has to know who lets an agent make payouts. */
export const payoutToolNotice = notice(
	'payoutToolNotice',
	`With Funding Method None, the agent prepares payouts and a person pays them: start with that. Maximum Amount is required; Maximum per Day and Allowed Payees are recommended. ${REFERENCE}`,
);

/** How a unique reference is asked for where an agent calls the node. */
export const referenceInTools: Partial<INodeProperties> = {
	placeholder: "e.g. {{ $('Invoice').item.json.number }}",
	hint: 'From a node before the agent. A model that chooses it can pay the same thing twice.',
};

/** A field that is another one in tools than elsewhere. */
export const withToolField = (
	field: INodeProperties,
	changes: Partial<INodeProperties>,
): INodeProperties[] => [
	{ ...field, displayOptions: { hide: { '@tool': [true] } } },
	{ ...field, ...inTools, ...changes },
];
