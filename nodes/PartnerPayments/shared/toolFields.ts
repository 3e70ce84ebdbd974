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

/** What a person has to know who lets an agent make fundings. */
export const fundingToolNotice = notice(
	'fundingToolNotice',
	`An agent that has this tool moves money. Rather let it prepare payouts, with Payout: Send and Funding Method None. Maximum Amount and a unique reference are required. ${REFERENCE}`,
);

/** A field that is another one in tools than elsewhere. */
export const withToolField = (
	field: INodeProperties,
	changes: Partial<INodeProperties>,
): INodeProperties[] => [
	{ ...field, displayOptions: { hide: { '@tool': [true] } } },
	{ ...field, ...inTools, ...changes },
];
