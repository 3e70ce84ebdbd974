import { FailedAnswer, type Service, type ServiceRequest } from '../../../tools/services';

interface Ref {
	value: string;
}

export interface Vendor {
	Id: string;
	DisplayName: string;
	PrimaryEmailAddr?: { Address: string };
}

export interface Account {
	Id: string;
	Name: string;
	AccountType: string;
}

export interface Bill {
	Id: string;
	DocNumber?: string;
	VendorRef: Ref;
	CurrencyRef: Ref;
	DueDate?: string;
	TotalAmt: number;
	Balance: number;
	LinkedTxn: Array<{ TxnId: string; TxnType: string }>;
}

/** A payment as it is booked, and as n8n asks for it. */
export interface BillPayment {
	Id: string;
	VendorRef: Ref;
	PayType: string;
	CheckPayment: { BankAccountRef: Ref };
	TotalAmt: number;
	DocNumber: string;
	PrivateNote: string;
	TxnDate?: string;
	Line: Array<{ Amount: number; LinkedTxn: Array<{ TxnId: string; TxnType: string }> }>;
}

/** What goes wrong with a request. */
export type Trouble = 'down' | 'cut_after' | undefined;

/** QuickBooks as n8n's nodes see it: the books of a company, and what goes wrong. */
export interface QuickBooks {
	accounts: Account[];
	vendors: Vendor[];
	bills: Bill[];
	payments: BillPayment[];
	/** What goes wrong with the next requests that read, or that book. */
	trouble: { reading: Trouble; booking: Trouble };
	/** Is told of each request that reads, before the answer is made. */
	onRead: (query: string) => void;
	service: Service;
}

/** As many records as an answer has where the query does not say, and at most. */
const DEFAULT_RESULTS = 100;
const MAX_RESULTS = 1000;

/** What QuickBooks takes of these at most, in characters. */
const MAX_REQUEST_ID = 50;
const MAX_DOC_NUMBER = 21;

const QUERY =
	/^SELECT \* FROM (\w+)(?: WHERE (.+?))?(?: ORDERBY Id)?(?: STARTPOSITION (\d+))?(?: MAXRESULTS (\d+))?$/;
const CONDITION = /^(\w+) (=|>|IN) (.+)$/;
const TEXT = /'((?:\\.|[^'\\])*)'/g;

const fault = (message: string): FailedAnswer =>
	new FailedAnswer(400, { Fault: { Error: [{ Message: message }], type: 'ValidationFault' } });

/** What the gateway answers for a company that the credential has no access to. */
const OTHER_COMPANY = new FailedAnswer(403, {
	fault: {
		error: [{ message: 'message=ApplicationAuthorizationFailed; errorCode=003100', detail: '' }],
		type: 'AUTHORIZATION',
	},
});

/** The books of the company with this ID. */
export function quickBooks(companyId: string): QuickBooks {
	const answers = new Map<string, object>();

	const query = ({ query: parameters }: ServiceRequest): object => {
		const text = parameters.get('query') ?? '';
		state.onRead(text);
		const [, kind = '', where, start = '1', most = String(DEFAULT_RESULTS)] =
			QUERY.exec(text) ?? [];
		const records: Record<string, object[] | undefined> = {
			Account: state.accounts,
			Vendor: state.vendors,
			Bill: state.bills,
			BillPayment: state.payments,
		};
		const isWanted = where === undefined ? () => true : conditionOf(where);
		const known = records[kind];
		if (known === undefined || isWanted === undefined || Number(most) > MAX_RESULTS) {
			return fault(`QueryParserError: ${text}`);
		}

		const found = known.filter((record) => isWanted(record as Record<string, unknown>));
		const page = found.slice(Number(start) - 1, Number(start) - 1 + Number(most));

		return { QueryResponse: page.length === 0 ? {} : { [kind]: page }, time: 'now' };
	};

	const book = ({ query: parameters, body }: ServiceRequest): object => {
		const requestId = parameters.get('requestid') ?? '';
		const earlier = answers.get(requestId);
		if (earlier !== undefined) {
			return earlier;
		}

		const wanted = body as Omit<BillPayment, 'Id'>;
		const problem = requestId.length > MAX_REQUEST_ID ? 'requestid' : problemOf(wanted, state);
		if (problem !== undefined) {
			return fault(`Business Validation Error: ${problem}`);
		}

		const payment = { ...structuredClone(wanted), Id: `payment-${state.payments.length + 1}` };
		state.payments.push(payment);
		for (const { Amount: amount, LinkedTxn: linked } of payment.Line) {
			const bill = state.bills.find(({ Id: id }) => id === linked[0]?.TxnId);
			applyTo(bill, amount, payment.Id);
		}

		const answer = { BillPayment: payment };
		if (requestId !== '') {
			answers.set(requestId, answer);
		}

		return answer;
	};

	const state: QuickBooks = {
		accounts: [
			{ Id: '35', Name: 'Checking', AccountType: 'Bank' },
			{ Id: '36', Name: 'Savings', AccountType: 'Bank' },
			{ Id: '37', Name: 'Rent', AccountType: 'Expense' },
		],
		vendors: [],
		bills: [],
		payments: [],
		trouble: { reading: undefined, booking: undefined },
		onRead: () => {},
		service: (request) => {
			const { method, path, accept, authorization } = request;
			if (authorization === undefined || accept !== 'application/json') {
				return new FailedAnswer(401);
			}

			const isBooking = method === 'POST' && path === `/v3/company/${companyId}/billpayment`;
			if (!isBooking && path !== `/v3/company/${companyId}/query`) {
				return OTHER_COMPANY;
			}

			const trouble = isBooking ? state.trouble.booking : state.trouble.reading;
			if (trouble === 'down') {
				return new FailedAnswer(503, { message: 'Down for maintenance' });
			}

			const answer = isBooking ? book(request) : query(request);

			return trouble === 'cut_after' ? new FailedAnswer(undefined) : answer;
		},
	};

	return state;
}

/** Why QuickBooks does not book a payment. */
function problemOf(
	payment: Omit<BillPayment, 'Id'>,
	{ accounts, bills }: QuickBooks,
): string | undefined {
	const { CheckPayment: check, PayType: type, Line: lines, TotalAmt: total } = payment;
	if (type !== 'Check' || check.BankAccountRef.value === '') {
		return 'Select an account for this transaction';
	}

	const { value: accountId } = check.BankAccountRef;
	if (!accounts.some(({ Id: id, AccountType: kind }) => id === accountId && kind === 'Bank')) {
		return `Accounts element id ${accountId} not found`;
	}

	if (payment.DocNumber.length > MAX_DOC_NUMBER) {
		return 'DocNumber is too long';
	}

	const [line] = lines;
	const bill = bills.find(({ Id: id }) => id === line?.LinkedTxn[0]?.TxnId);
	if (bill?.VendorRef.value !== payment.VendorRef.value || lines.length !== 1) {
		return 'The bill is of another vendor';
	}

	return line?.Amount === total ? undefined : 'The lines do not add up';
}

/** Books an amount on a bill. */
export function applyTo(bill: Bill | undefined, amount: number, paymentId: string): void {
	if (bill === undefined) {
		throw new Error('There is no such bill');
	}

	bill.Balance = Math.round((bill.Balance - amount) * 100) / 100;
	bill.LinkedTxn.push({ TxnId: paymentId, TxnType: 'BillPaymentCheck' });
}

/** What tells whether a record fits a condition; undefined for one that QuickBooks cannot read. */
function conditionOf(text: string): ((record: Record<string, unknown>) => boolean) | undefined {
	const [, field = '', operator, rest = ''] = CONDITION.exec(text) ?? [];
	const isRead = rest.replaceAll(TEXT, '').replaceAll(/[(), ]/g, '') === '';
	const values = [...rest.matchAll(TEXT)].map(([, value = '']) => value.replaceAll(/\\(.)/g, '$1'));
	if (!isRead || values.length === 0) {
		return undefined;
	}

	switch (operator) {
		case '>':
			return (record) => Number(record[field]) > Number(values[0]);
		case '=':
		case 'IN':
			return (record) => values.some((value) => value === (record[field] ?? ''));
		default:
			return undefined;
	}
}
