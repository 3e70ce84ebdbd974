import { FundingRun } from '../../../nodes/PartnerPayments/resources/payout/fundingRun';
import type { Payout } from '../../../nodes/PartnerPayments/resources/payout/payout';
import type { ServiceError } from '../../../nodes/PartnerPayments/api/http/errors';
import { fakeClaim, fakeLedger } from './fakeLedger';
import { FakeService } from './fakeService';

/** What a run works with: a service and a ledger in memory, and what both were asked, in one order. */
export class FakeRun {
	readonly log: string[] = [];
	readonly stopper = new AbortController();
	readonly service = new FakeService(this.log, this.stopper.signal);
	readonly claim = fakeClaim(this.log);
	readonly ledger = fakeLedger(this.log, this.claim);
	readonly fundingRun = new FundingRun(this.service.client, this.ledger, this.stopper.signal);

	/** The entries of the log that begin with one of these words. */
	logOf(...words: string[]): string[] {
		return this.log.filter((entry) => words.includes(entry.split(' ', 1).join()));
	}
}

export const statusesOf = (payouts: Payout[]): string[] => payouts.map(({ status }) => status);

export const messageOf = (payout: Payout | undefined): string => errorOf(payout).message;

export const errorOf = (payout: Payout | undefined): ServiceError =>
	payout?.result().error as ServiceError;
