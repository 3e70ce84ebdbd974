import type { IDataObject } from 'n8n-workflow';

import type { Ended } from './scenario';
import type { FundingRequest, Invoice, Payable } from './memoryService';
import { messageOf, type Part } from './stage';

const FUNDED = ['funded', 'awaiting_deposit'];
const NOT_FUNDED = ['not_sent', 'failed', 'prepared', 'held'];
const DONE = [...FUNDED, 'paid'];

/** A person says of these that no deposit may be linked any more. */
const CANCELED = ['not_paid', 'void'];

/** Watches a promise that holds at every step: no payable that Send has approved is without its row. */
export function watch(ended: Ended): void {
	const { table, service } = ended;
	const check = (): void => {
		ended.broken ??= forgottenPayable(ended);
	};
	table.onChange = check;
	service.onApproval = check;
	service.isKnown = (fundingId) => table.rows.some((row) => row.funding_id === fundingId);
}

/** What the promises depend on beside the state of everything: what has come before what, and what has been said. */
export function judged({ service, table, world, parts }: Ended): string {
	const resolutions = table.resolutions.map(({ by, state, step, row }) => {
		const earlier = service.fundings.filter(({ sentAt }) => sentAt < step).length;
		const same = service.fundings.filter(({ sentAt }) => sentAt === step).length;
		const linked = service.links.map(({ takenAt = Infinity }) => takenAt >= step);
		return `${by.name} ${state} ${row.id} ${row.payable_id} ${earlier} ${same} ${linked.join()}`;
	});
	return [...resolutions, ...world.faulty, parts.length].join('\n');
}

/** The promise that an order has broken; undefined when it kept all. */
export function violationOf(ended: Ended): string | undefined {
	const checks = [
		unfinished,
		unexplained,
		fundedTwice,
		lostAnswer,
		paidVoid,
		forgottenPayable,
		falseItem,
		leftSending,
		leftUnpaid,
		linkedTwice,
		forgottenDeposit,
		lostLink,
		linkedCanceled,
	];
	for (const check of checks) {
		const violation = check(ended);
		if (violation !== undefined) {
			return violation;
		}
	}
	return undefined;
}

function unfinished({ parts }: Ended): string | undefined {
	const part = parts.find(({ actor }) => actor.state === 'running');
	return part === undefined ? undefined : `${part.actor.name} waits for ever`;
}

/** An error of the code itself, or of what stands for n8n here, would hide what an execution does. */
function unexplained({ parts }: Ended): string | undefined {
	const part = parts.find(({ error }) => error !== undefined && !('hint' in Object(error)));
	return part === undefined ? undefined : `${part.actor.name} fails: ${messageOf(part.error)}`;
}

/** (a) An invoice is funded at most once, and so is a payable. */
function fundedTwice({ service, table }: Ended): string | undefined {
	const funded = [...service.payables.values()].flatMap((payable) =>
		service.fundingsOf(({ id }) => id === payable.id).map((funding) => ({ payable, funding })),
	);
	for (const [index, { payable, funding }] of funded.entries()) {
		const again = funded
			.slice(index + 1)
			.find((other) => isSame(payable, other.payable) && !isMisled(funding, other.funding));
		if (again !== undefined) {
			return `(a) ${nameOf(payable)} is funded twice, with ${payable.id} and ${again.payable.id}`;
		}
	}
	return undefined;

	/** Whether a person has said "Not Paid" of a funding that came all the same. */
	function isMisled(...fundings: FundingRequest[]): boolean {
		return table.resolutions.some(
			({ state, row, step }) =>
				state === 'not_paid' &&
				fundings.some(
					({ payableIds, sentAt }) => payableIds.includes(row.payable_id) && sentAt <= step,
				),
		);
	}
}

/** (b) An answer that was given to a living execution is in the ledger; where that fails for good, the item says so. */
function lostAnswer({ service, table, parts, world }: Ended): string | undefined {
	const mayBeLost = world.faulty.has('ledger');
	for (const { isAnswered, by, id = '', payableIds } of service.fundingsOf(() => true)) {
		const items = parts.find(({ actor }) => actor === by)?.items ?? [];
		const isSaid = items.some((item) => item['recorded'] === false);
		if (!isAnswered || by.state === 'dead' || (mayBeLost && isSaid)) {
			continue;
		}
		for (const payableId of payableIds) {
			const isResolved = table.resolutions.some(({ row }) => row.payable_id === payableId);
			const row = table.rows.find((one) => one.payable_id === payableId && one.funding_id === id);
			if (row === undefined || !(isResolved || DONE.includes(row.state))) {
				return `(b) the ledger does not know that ${id} has funded ${payableId}`;
			}
		}
	}
	return undefined;
}

/** (c) What a person has made void before its funding began is never paid. */
function paidVoid({ service, table, parts }: Ended): string | undefined {
	for (const { by, state, step, row } of table.resolutions) {
		const isTold = parts.some(
			({ actor, items }) => actor === by && items.some((item) => item['is_resolved'] === true),
		);
		if (state !== 'void' || !isTold) {
			continue;
		}
		const invoice = { reference: row.reference, payee: row.payee, amount: row.amount_cents ?? 0 };
		const later = service
			.fundingsOf((payable) => isSame(payable, invoice))
			.find(({ sentAt }) => sentAt >= step);
		if (later !== undefined) {
			return `(c) ${nameOf(invoice)} was void, and then paid with ${later.payableIds.join(' + ')}`;
		}
	}
	return undefined;
}

/** (d) Every payable that Send has approved has a row with its reference. */
function forgottenPayable({ service, table }: Ended): string | undefined {
	for (const { id, reference, isApprovedBySend } of service.payables.values()) {
		const isKnown = table.rows.some((row) => row.payable_id === id && row.reference === reference);
		if (isApprovedBySend && !isKnown) {
			return `(d) the ledger has forgotten ${id}`;
		}
	}
	return undefined;
}

/** (e) An item says what has happened. */
function falseItem(ended: Ended): string | undefined {
	for (const part of ended.parts) {
		for (const item of part.items) {
			if ('unique_reference' in item && isFalse(ended, part, item)) {
				const said = `${textIn(item, 'status')} of ${textIn(item, 'unique_reference')}`;
				return `(e) ${part.actor.name} says ${said}, which is false`;
			}
		}
	}
	return undefined;
}

function isFalse({ service, table }: Ended, part: Part, item: IDataObject): boolean {
	const status = textIn(item, 'status');
	const payables = part.payablesOf(item);
	const fundings = service.fundingsOf((payable) => payables.includes(payable));
	const own = fundings.filter(({ by }) => by === part.actor);
	if (FUNDED.includes(status)) {
		return !own.some(({ id, isAnswered }) => isAnswered && id === item['funding_id']);
	}
	if (NOT_FUNDED.includes(status)) {
		return own.length > 0;
	}
	const isSaidDone = status === 'duplicate' && DONE.includes(textIn(item, 'first_status'));
	const isByPerson = table.resolutions.some(({ state }) => state === 'paid');
	return isSaidDone && fundings.length === 0 && !isByPerson;
}

/** (f) An execution that lives, and whose ledger works, leaves nothing that looks like a funding under way. */
function leftSending({ table, parts, world }: Ended): string | undefined {
	if (world.faulty.has('ledger')) {
		return undefined;
	}
	const left = table.rows.find(
		({ state, execution }) =>
			state === 'sending' &&
			parts.some(({ actor }) => actor.name === execution && actor.state === 'done'),
	);
	return left === undefined
		? undefined
		: `(f) ${left.execution} has ended, and ${left.payable_id} still counts as sending`;
}

/** (g) Where nothing goes wrong, and Send alone acts, an invoice is paid. */
function leftUnpaid({ scenario, service, world, parts }: Ended): string | undefined {
	if (scenario.isPaid !== true || world.faulty.size > 0) {
		return undefined;
	}
	const unpaid = [...service.payables.values()].find(
		(payable) => service.fundingsOf((other) => isSame(payable, other)).length === 0,
	);
	return unpaid === undefined || parts.length === 0
		? undefined
		: `(g) ${nameOf(unpaid)} is not paid`;
}

/** (h) At most one deposit is linked to a funding. */
function linkedTwice({ service }: Ended): string | undefined {
	for (const { id = '' } of service.fundings) {
		const deposits = new Set(service.linksOf(id).map(({ depositId }) => depositId));
		if (deposits.size > 1) {
			return `(h) ${[...deposits].join(' and ')} are linked to ${id}`;
		}
	}
	return undefined;
}

/** (i) The ledger knows which deposit is linked to a funding that it has, whatever has gone wrong. */
function forgottenDeposit({ service, table }: Ended): string | undefined {
	for (const { fundingId, depositId, isKnown, takenAt } of service.links) {
		const forgotten = table.rows.find(
			(row) => row.funding_id === fundingId && row.deposit_id !== depositId,
		);
		if (isKnown && takenAt !== undefined && forgotten !== undefined) {
			return `(i) the ledger does not know that ${depositId} is linked to ${fundingId}`;
		}
	}
	return undefined;
}

/** (j) The answer to a link that was given to a living execution is in the ledger. */
function lostLink({ service, table, world }: Ended): string | undefined {
	if (world.faulty.has('ledger')) {
		return undefined;
	}
	for (const { by, fundingId, depositId, isKnown, takenAt, isAnswered } of service.links) {
		const isGiven = takenAt !== undefined && isAnswered && by.state !== 'dead';
		const isLost = table.rows.some(
			(row) => row.funding_id === fundingId && row.state !== 'funded' && row.state !== 'paid',
		);
		if (isKnown && isGiven && isLost) {
			return `(j) ${by.name} knows that ${depositId} is linked to ${fundingId}, and the ledger does not`;
		}
	}
	return undefined;
}

/** (k) What a person has resolved as not paid or void gets no deposit after that. */
function linkedCanceled({ service, table, parts }: Ended): string | undefined {
	for (const { by, state, step, row } of table.resolutions) {
		const isTold = parts.some(
			({ actor, items }) => actor === by && items.some((item) => item['is_resolved'] === true),
		);
		const later = service.linksOf(row.funding_id).find(({ takenAt = 0 }) => takenAt >= step);
		if (CANCELED.includes(state) && isTold && later !== undefined) {
			return `(k) ${row.funding_id} was ${state}, and then ${later.depositId} was linked to it`;
		}
	}
	return undefined;
}

/**
 * Whether two payables are of one invoice, or may be: of the number, vendor and amount only one differs. A
 * number with and without the words before it is nearly the same.
 */
function isSame(one: Invoice & Partial<Payable>, other: Invoice & Partial<Payable>): boolean {
	if (one.id !== undefined && one.id === other.id) {
		return true;
	}
	if (one.reference === '' || other.reference === '') {
		return false;
	}
	const isSamePayee = one.payee === other.payee;
	const isSameAmount = one.amount === other.amount;
	if (fold(one.reference) === fold(other.reference)) {
		return isSamePayee || isSameAmount;
	}
	const isSameNumber = numberOf(one.reference) === numberOf(other.reference);
	return isSameNumber && isSamePayee && isSameAmount;
}

function textIn(item: IDataObject, name: string): string {
	const value = item[name];
	return typeof value === 'string' ? value : '';
}

const numberOf = (reference: string): string => reference.replace(/^[^0-9]*/, '');

const fold = (reference: string): string => reference.toLowerCase().replace(/[^a-z0-9]/g, '');

const nameOf = ({ reference, payee, amount }: Invoice): string =>
	`${reference} of ${payee} (${amount / 100})`;
