import type { Observation } from './answerObservers';
import { typeOf } from './deliveryObservers';
import { fieldsAt, isFields, isSuccess, readText, type Exchange, type Fields } from './exchange';

const textAt = (fields: Fields, name: string): string => {
	const value = fields[name];
	return typeof value === 'string' ? value : '';
};

/** A payable that was funded from the balance, and whom it is for. */
interface Funded {
	workspace: string;
	/** Address and identifier, as far as they are known. */
	payee: string[];
	isPaid: boolean;
}

/**
 * Follows payables through several exchanges: whether they are funded twice, and whether a vendor is
 * paid who is verified elsewhere and has not accepted here.
 */
export class MoneyObserver {
	private readonly payees = new Map<string, string[]>();
	private readonly funded = new Map<string, Funded>();
	/** Vendors who are verified, by address and identifier. */
	private readonly verified = new Set<string>();
	/** Workspace and vendor, of those who have accepted. */
	private readonly joined = new Set<string>();

	/** Takes note of an exchange, and answers what it shows. */
	observe(exchange: Exchange): Observation[] {
		switch (exchange.match?.operationId) {
			case 'createPayable':
				this.notePayable(exchange);
				return [];
			case 'getPartner':
				this.notePartner(exchange);
				return [];
			case 'createFunding':
				return this.observeFunding(exchange);
			default:
				return [];
		}
	}

	/** Takes note of a delivery. */
	noteDelivery(body: string): void {
		const content = readText(body);
		for (const event of Array.isArray(content) ? (content as unknown[]) : [content]) {
			this.noteEvent(fieldsAt({ event }, 'event'));
		}
	}

	/** Whether a vendor is paid without accepting, which only the events that came or did not come show. */
	acceptance(): Observation[] {
		const answers = [...this.funded.values()].filter(
			({ payee, workspace }) =>
				payee.some((one) => this.verified.has(one)) &&
				!payee.some((one) => this.joined.has(`${workspace} ${one}`)),
		);

		const hearsOfPayments = [...this.funded.values()].some(({ isPaid }) => isPaid);
		if (answers.length === 0 || !hearsOfPayments) {
			return [];
		}

		const isImplied = answers.some(({ isPaid }) => isPaid);
		return [{ point: 'acceptance', seen: isImplied ? 'implied' : 'required' }];
	}

	private notePayable({ answer, body }: Exchange): void {
		const payable = fieldsAt(answer, 'payable');
		const names = [body, payable].flatMap((each) => [
			textAt(each, 'payee_email'),
			textAt(each, 'payee_service_id'),
		]);

		this.payees.set(
			textAt(payable, 'id'),
			[...new Set(names)].filter((name) => name !== ''),
		);
	}

	private notePartner(exchange: Exchange): void {
		if (!isSuccess(exchange)) {
			return;
		}

		const wrapped = fieldsAt(exchange.answer, 'partner');
		const partner = Object.keys(wrapped).length > 0 ? wrapped : fieldsAt(exchange.answer);
		const status = textAt(partner, 'status');
		if (status === 'invited') {
			return;
		}

		const workspace = /workspace\/([^/]+)/.exec(exchange.request.path)?.[1] ?? '';
		for (const name of [textAt(partner, 'email'), textAt(partner, 'service_id')]) {
			this.joined.add(`${workspace} ${name}`);
			if (status === 'verified') {
				this.verified.add(name);
			}
		}
	}

	private observeFunding(exchange: Exchange): Observation[] {
		const { body, requestErrors } = exchange;
		const ids = Array.isArray(body['payable_ids']) ? body['payable_ids'].map(String) : [];
		const isAgain = ids.some((id) => this.funded.has(id));
		if (isSuccess(exchange)) {
			this.noteFunding(ids, body);
		}

		if (!isAgain || requestErrors.length > 0) {
			return [];
		}

		const isRefused = exchange.status >= 400 && exchange.status < 429;
		if (!isSuccess(exchange) && !isRefused) {
			return [];
		}

		return [{ point: 'secondFunding', seen: isRefused ? 'refuse' : 'accept' }];
	}

	private noteFunding(ids: string[], body: Fields): void {
		const isBalance = body['method'] === 'balance';
		for (const id of ids) {
			if (isBalance && !this.funded.has(id)) {
				const workspace = textAt(body, 'workspace_id');
				this.funded.set(id, { workspace, payee: this.payees.get(id) ?? [], isPaid: false });
			}
		}
	}

	private noteEvent(event: Fields): void {
		const isPaidEvent = /^payable[._]?paid$/i.test(typeOf(event) ?? '');
		for (const record of recordsIn(event)) {
			const payable = this.funded.get(textAt(record, 'id'));
			if (payable !== undefined && (isPaidEvent || record['status'] === 'paid')) {
				payable.isPaid = true;
			}
		}
	}
}

/** Every object in an event: where the payable stands depends on the envelope. */
function recordsIn(value: unknown): Fields[] {
	return isFields(value) ? [value, ...Object.values(value).flatMap(recordsIn)] : [];
}
