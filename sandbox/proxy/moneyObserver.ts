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
	dueDate: string;
	/** How far it has come, as events have told. */
	state: 'approved' | 'will_pay' | 'paid';
}

/**
 * Follows payables through several exchanges: whether they are funded twice, and whether a vendor is
 * paid who is verified elsewhere and has not accepted here.
 */
export class MoneyObserver {
	private readonly payables = new Map<string, Pick<Funded, 'payee' | 'dueDate'>>();
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

	/** What only the events show that came, or did not come. */
	conclusions(): Observation[] {
		return [...this.acceptance(), ...this.settlement()];
	}

	/** When will_pay becomes paid. */
	private settlement(): Observation[] {
		const all = [...this.funded.values()];
		const kept = all.filter(({ state }) => state === 'will_pay');
		if (kept.some(({ dueDate }) => dueDate === '')) {
			return [{ point: 'settlement', seen: 'manual' }];
		}

		if (kept.length > 0) {
			return [{ point: 'settlement', seen: 'due_date' }];
		}

		const isPaid = all.some(({ state }) => state === 'paid');
		return isPaid ? [{ point: 'settlement', seen: 'automatic' }] : [];
	}

	/** Whether a vendor is paid without accepting. */
	private acceptance(): Observation[] {
		const answers = [...this.funded.values()].filter(
			({ payee, workspace }) =>
				payee.some((one) => this.verified.has(one)) &&
				!payee.some((one) => this.joined.has(`${workspace} ${one}`)),
		);

		const hearsOfPayments = [...this.funded.values()].some(({ state }) => state === 'paid');
		if (answers.length === 0 || !hearsOfPayments) {
			return [];
		}

		const isImplied = answers.some(({ state }) => state === 'paid');
		return [{ point: 'acceptance', seen: isImplied ? 'implied' : 'required' }];
	}

	private notePayable({ answer, body }: Exchange): void {
		const payable = fieldsAt(answer, 'payable');
		const names = [body, payable].flatMap((each) => [
			textAt(each, 'payee_email'),
			textAt(each, 'payee_service_id'),
		]);

		this.payables.set(textAt(payable, 'id'), {
			payee: names.filter((name) => name !== ''),
			dueDate: textAt(body, 'due_date'),
		});
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
				const { payee = [], dueDate = '' } = this.payables.get(id) ?? {};
				this.funded.set(id, { workspace, payee, dueDate, state: 'approved' });
			}
		}
	}

	private noteEvent(event: Fields): void {
		const isPaidEvent = /^payable[._]?paid$/i.test(typeOf(event) ?? '');
		for (const record of recordsIn(event)) {
			const payable = this.funded.get(textAt(record, 'id'));
			if (payable === undefined) {
				continue;
			}

			// Events come in any order, and a payable goes forward only.
			if (isPaidEvent || record['status'] === 'paid') {
				payable.state = 'paid';
			} else if (record['status'] === 'will_pay' && payable.state === 'approved') {
				payable.state = 'will_pay';
			}
		}
	}
}

/** Every object in an event: where the payable stands depends on the envelope. */
function recordsIn(value: unknown): Fields[] {
	return isFields(value) ? [value, ...Object.values(value).flatMap(recordsIn)] : [];
}
