import type { NodeHint } from 'n8n-workflow';

import { STANDARD_LIMIT } from '../../service/http/rateLimiter';

/** Two requests each: a payable is created and approved. So many payouts need not wait for the limit. */
const PAYOUTS_PER_MINUTE = STANDARD_LIMIT.requests / 2;
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
	message: `Up to ${size.toLocaleString('en')} payouts take about ${size / PAYOUTS_PER_MINUTE} minutes at ${STANDARD_LIMIT.requests} requests a minute. The credential may state another limit. A ledger table shows how far the run is.`,
	displayCondition: `={{ ${IS_SENDING} && ${COUNT} > ${SIZES[index - 1] ?? PAYOUTS_PER_MINUTE} && ${COUNT} <= ${size} }}`,
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
}));
