import type { NodeHint } from 'n8n-workflow';

/** Fewer payouts fit into a minute of the standard limit, so that nobody waits for it. */
const WITHOUT_WAIT = 50;
/** What a minute of the standard limit takes, two requests each: a payable is created and approved. */
const PAYOUTS_PER_MINUTE = 50;
/** The sizes of runs that are told apart; n8n's hints can choose a text, but not work one out. */
const SIZES = [100, 250, 500, 1000, 2500, 5000, 10_000];

const IS_SENDING = '$parameter.resource === "payout" && $parameter.operation === "send"';
const COUNT = '$input.all().length';

/**
 * What the editor says of a run that will wait for the account's limit of requests, as soon as it
 * knows the input and before the node has run. The editor does not know the credential: the texts
 * name the standard limit that they hold for.
 */
export const payoutHints: NodeHint[] = SIZES.map((size, index) => ({
	message: `Up to ${size.toLocaleString('en')} payouts take about ${size / PAYOUTS_PER_MINUTE} minutes at 100 requests a minute. The credential may state another limit. With Remember In set to Data Table, the table shows how far the run is.`,
	displayCondition: `={{ ${IS_SENDING} && ${COUNT} > ${SIZES[index - 1] ?? WITHOUT_WAIT} && ${COUNT} <= ${size} }}`,
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
}));
