import type { IExecuteFunctions } from 'n8n-workflow';

import type { ItemParameters } from '../../../nodes/PartnerPayments/execution/itemParameters';
import type { ItemResult, RunContext } from '../../../nodes/PartnerPayments/execution/operation';
import type { Ledger } from '../../../nodes/PartnerPayments/ledger/ledger';
import { pay } from '../../../nodes/PartnerPayments/resources/payout/pay';
import type { PayoutRequest } from '../../../nodes/PartnerPayments/resources/payout/request';
import { FundingRun } from '../../../nodes/PartnerPayments/resources/payout/fundingRun';
import type { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import type { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { fakeClaim, fakeLedger } from './fakeLedger';
import { FakeService } from './fakeService';
import { itemAt } from './payouts';

/** What a run works with: a service and a ledger in memory, and what both were asked, in one order. */
export class FakeRun {
	readonly log: string[] = [];
	readonly stopper = new AbortController();
	readonly service = new FakeService(this.log, this.stopper.signal);
	readonly claim = fakeClaim(this.log);
	readonly ledger = fakeLedger(this.log, this.claim);
	readonly fundingRun = new FundingRun(this.service.client, this.ledger, this.stopper.signal);

	/** As n8n gives it; it may give none. */
	signal: AbortSignal | undefined = this.stopper.signal;

	/** What people read above the output. */
	readonly hints: string[] = [];

	/** Gives the run its ledger. */
	findLedger = (): Ledger => this.ledger;

	/** Pays as "Send" of "Payout" does; returns the items in their order. */
	async pay(
		requests: PayoutRequest[],
		{ isPreview = false, leftOut = [] }: { isPreview?: boolean; leftOut?: ItemParameters[] } = {},
	): Promise<ItemResult[]> {
		const entries = requests.map((input, index) => ({ input, item: itemAt(index) }));
		const context: RunContext = {
			n8n: {} as IExecuteFunctions,
			client: this.service.client,
			ledger: this.findLedger,
			ledgerForPreview: async () => await Promise.resolve(this.findLedger()),
			hint: (message) => {
				this.hints.push(message);
			},
			signal: this.signal,
		};
		return await pay(entries, { isPreview, leftOut }, context);
	}

	/** The entries of the log that begin with one of these words. */
	logOf(...words: string[]): string[] {
		return this.log.filter((entry) => words.includes(entry.split(' ', 1).join()));
	}
}

export const statusesOf = (payouts: Payout[]): string[] => payouts.map(({ status }) => status);

export const messageOf = (payout: Payout | undefined): string => errorOf(payout).message;

export const errorOf = (payout: Payout | undefined): ServiceError =>
	payout?.result().error as ServiceError;

/** The statuses of the items of a run. */
export const itemStatuses = (results: ItemResult[]): unknown[] =>
	results.map(({ output }) => output?.json.status);
