/** All records of a kind in QuickBooks' answers. Throws unless each of them is one, so that none is left out. */
function recordsOf(kind, answers) {
	return answers.flatMap(({ json }) => {
		const { QueryResponse: found } = json;
		if (found === undefined) {
			throw new Error(`QuickBooks cannot be read: ${whyNot(json)}`);
		}

		return found[kind] ?? [];
	});
}

/** Why a request to QuickBooks was not done: its own words if it has any, else those of n8n, and the status. */
function whyNot({ error, details, ...answer }) {
	const [fault] = faultsIn(bodyIn(details)) ?? faultsIn(answer) ?? [];
	const words = [fault?.Message ?? fault?.message, fault?.Detail ?? fault?.detail];
	const own = words.filter((one) => typeof one === 'string' && one !== '').join(': ');
	const told = [own, details?.description, details?.message, error?.message, error];
	const why = told.find((one) => typeof one === 'string' && one !== '') ?? 'no answer';

	return details?.httpCode === undefined ? why : `${why} (${details.httpCode})`;
}

/** What was answered. Of a request without pages, n8n has it in a text alone, after the status. */
function bodyIn(details) {
	if (details?.body) {
		return details.body;
	}

	try {
		const [, text] = /^\d+ - (".+")$/.exec(details?.description) ?? [];

		return JSON.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}

/** Its gateway writes in small letters what its service writes in capitals. */
const faultsIn = (body) => body?.Fault?.Error ?? body?.fault?.error;

/**
 * Throws unless the settings can be paid and booked with: a payment whose account QuickBooks does not know would be
 * made, and not be booked.
 */
function checkBooks(settings, answers) {
	const missing = ['company_id', 'bank_account_id'].filter((name) => isBlank(settings[name]));
	if (missing.length > 0) {
		throw new Error(
			`Enter ${missing.join(' and ')} in the node Settings, and publish the workflow`,
		);
	}
	if (isBlank(settings.approvers)) {
		throw new Error('Enter Slack IDs as approvers in the node Settings, and publish the workflow');
	}

	if (!/^\d+$/.test(settings.company_id)) {
		throw new Error(
			'Enter company_id in the node Settings as digits alone, without spaces, and publish the workflow',
		);
	}

	const accounts = recordsOf('Account', answers);
	if (!accounts.some(({ Id: id }) => id === settings.bank_account_id)) {
		const named = accounts.map(({ Id: id, Name: name }) => `${id} (${name})`);

		throw new Error(
			`Enter bank_account_id in the node Settings, and publish the workflow. The bank accounts in QuickBooks are ${named.join(', ') || 'none'}`,
		);
	}
}

const foldText = (text) =>
	String(text ?? '')
		.trim()
		.toLowerCase();

const openCents = ({ Balance: balance }) => centsOf(balance);

/** Vendors by their IDs, each with its address. */
const byId = (vendors) =>
	new Map(
		vendors.map(({ Id: id, DisplayName: name = '', PrimaryEmailAddr: address }) => [
			id,
			{ name, email: foldText(address?.Address) },
		]),
	);

/** The bills with a number, open or not, of all vendors in QuickBooks that have an address. */
const billsWith = (number, email, bills, known) =>
	bills.filter(
		({ DocNumber: own, VendorRef: vendor }) =>
			foldText(own) === foldText(number) && known.get(vendor.value)?.email === foldText(email),
	);

/**
 * A row for each bill that is due, and for one without a due date. A row with a problem has no reference, so it is
 * refused.
 *
 * @param open all bills that are open, also those that are due later: two with one number are told apart by no one
 * @param lastDay the last day on which a bill may be due, such as 2026-05-31
 */
function rowsOfBills(open, vendors, lastDay) {
	const known = byId(vendors);
	const counts = new Map();
	for (const key of open.flatMap((bill) => keysOf(bill, known))) {
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}

	const due = open.filter(({ DueDate: day }) => isBlank(day) || day <= lastDay);

	return due.map((bill, index) => {
		const { Id: bill_id, DocNumber: invoice = '', Balance: amount, VendorRef: vendor } = bill;
		const { TxnDate: invoice_date = '' } = bill;
		const { name = vendor.name ?? '', email = '' } = known.get(vendor.value) ?? {};
		const isAlone = keysOf(bill, known).every((key) => counts.get(key) === 1);
		const problem = problemOfBill(bill, email, name) || (isAlone ? '' : SEVERAL);

		return {
			row: index + 1,
			bill_id,
			email,
			amount,
			invoice,
			description: `Bill ${invoice} of ${name}`.trim(),
			invoice_date,
			problem,
			reference: problem ? '' : invoice,
		};
	});
}

/** What no other bill may have: a vendor with a number, by the vendor's ID and by its address. */
const keysOf = ({ DocNumber: number, VendorRef: vendor }, known) => [
	JSON.stringify(['ID', vendor.value, foldText(number)]),
	JSON.stringify(['address', known.get(vendor.value)?.email ?? vendor.value, foldText(number)]),
];

/** Why a bill is not paid; empty for one that can be. */
function problemOfBill(bill, email, name) {
	const { DocNumber: number, CurrencyRef: currency, DueDate: day } = bill;
	if (isBlank(number)) {
		return `A bill of ${name} has no number. Enter the number of the invoice as its "Bill no." in QuickBooks.`;
	}

	if (number !== number.normalize('NFKC').trim().replace(/\s+/g, ' ') || UNSEEN_SIGN.test(number)) {
		return 'The bill number has two spaces in a row, or characters that no one sees. Type it again in QuickBooks.';
	}

	if (email === '') {
		return `The vendor ${name} has no email address, or is inactive. Enter the address in QuickBooks.`;
	}

	if (isBlank(day)) {
		return 'The bill has no due date. Enter one in QuickBooks.';
	}

	if (currency?.value === undefined) {
		return 'The currency of the bill cannot be read. If it is US dollars, save the bill again in QuickBooks.';
	}

	if (currency.value !== 'USD') {
		return `The bill is in ${currency.value}, and only US dollars are paid here. Pay this one in another way.`;
	}

	return openCents(bill) > 0
		? ''
		: 'The open balance of the bill cannot be read as an amount. Look at it in QuickBooks.';
}

const UNSEEN_SIGN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

const SEVERAL =
	'More than one bill of the vendor has this number, so none of them is paid. If they are one invoice, delete the second bill in QuickBooks. Otherwise, enter each number as it stands on its invoice.';

/** The rows after a yes, as QuickBooks has their bills now. What is no longer what the person saw is not paid. */
function comparedRows(rows, answers, vendorAnswers) {
	const vendors = readOr(() => byId(recordsOf('Vendor', vendorAnswers)));

	return rows.map((row, index) => {
		const bills = readOr(() => recordsOf('Bill', [answers[index] ?? NO_ANSWER]));
		const unread = vendors.problem ?? bills.problem;
		const change =
			unread === undefined
				? changeOf(row, bills.found, vendors.found)
				: `${unread}. The next run asks again.`;
		const problem = row.problem || change;

		return { ...row, problem, reference: problem ? '' : row.reference };
	});
}

const NO_ANSWER = { json: {} };

/** What was found, or why it cannot be read. */
function readOr(read) {
	try {
		return { found: read() };
	} catch (error) {
		return { problem: error.message };
	}
}

function changeOf(row, bills, known) {
	const some = billsWith(row.invoice, row.email, bills, known);
	const bill = some.find(({ Id: id }) => id === row.bill_id);
	if (bill === undefined) {
		return 'After the question, the bill was deleted, or its number, its vendor, or the address of the vendor has changed. The next run asks again.';
	}

	const cents = openCents(bill);
	if (cents === 0) {
		return 'After the question, the bill was closed, or paid in another way.';
	}

	if (cents !== centsOf(row.amount)) {
		const now = cents === undefined ? 'what cannot be read' : dollars(cents);

		return `After the question, the open balance has changed to ${now}. The next run asks again.`;
	}

	return problemOfBill(bill, row.email, '') || (some.length > 1 ? SEVERAL : '');
}

/** What was paid before, as the ledger says, of bills that are still open, wherever in the project it was paid. */
const paidBefore = (results) =>
	results.filter(
		({ json }) =>
			json.status === 'duplicate' &&
			['funded', 'paid'].includes(json.first_status) &&
			json.payable_id,
	);

/**
 * What is booked for payments of the ledger: the bill payment to create, nothing for one that is in the books, or
 * why a person decides.
 *
 * @param account the ID of the bank account that the payments are booked to
 */
function bookingsOf(paid, billAnswers, paymentAnswers, vendorAnswers, account) {
	const vendors = readOr(() => byId(recordsOf('Vendor', vendorAnswers)));

	return paid
		.map((one, index) => {
			const bills = readOr(() => recordsOf('Bill', [billAnswers[index] ?? NO_ANSWER]));
			const payments = readOr(() => recordsOf('BillPayment', [paymentAnswers[index] ?? NO_ANSWER]));
			const unread = bills.problem ?? payments.problem ?? vendors.problem;
			if (unread !== undefined) {
				return told(one, `${unread}. ${TRIED_AGAIN}`);
			}

			return bookingOf(one, bills.found, payments.found, vendors.found, account);
		})
		.filter(({ kind }) => kind !== 'booked');
}

const TRIED_AGAIN = 'The daily run tries again while the bill is open.';

const NO_BILL =
	'No bill in QuickBooks has this number and a vendor with this address. Give its bill this number and address again, or book the payment by hand before the next run.';

const SEVERAL_BILLS =
	'More than one bill in QuickBooks has this number and a vendor with this address. Keep the bill that was paid, with its number. If another one is the same invoice, delete it. If not, correct its number.';

function bookingOf(paid, bills, payments, known, account) {
	const { payable_id: payable, unique_reference: number, payee, amount_usd: amount } = paid;
	if (!number || !payee || amount === undefined) {
		return told(
			paid,
			'The ledger does not know this payable, so no bill is known for it. Find its bill, and book the payment by hand.',
		);
	}

	const some = billsWith(number, payee, bills, known);
	if (some.length !== 1) {
		return told(paid, some.length === 0 ? NO_BILL : SEVERAL_BILLS);
	}

	const [bill] = some;
	const open = openCents(bill);
	if (payments.some((payment) => isOf(payment, payable) && paysBill(payment, bill.Id))) {
		return open === 0
			? { kind: 'booked' }
			: told(
					paid,
					'It is booked, and the bill is open again. If the rest is owed, lower this bill to what was paid, and enter the rest as a new bill with its own number.',
				);
	}

	const sent = paid.payable?.amount;
	if (typeof sent === 'number' && sent !== centsOf(amount)) {
		return told(
			paid,
			'The service says another amount than the ledger. Find out which is right, then book the payment by hand.',
		);
	}

	if (open === undefined || open < centsOf(amount)) {
		return told(
			paid,
			'Less is open on the bill than was paid. If this payment was booked by hand, do nothing. If two payments were made, ask the vendor to pay one back.',
		);
	}

	return { kind: 'book', paid, payment: paymentOf(paid, bill, account) };
}

const told = (paid, reason) => ({ kind: 'tell', paid, reason });

const isOf = ({ PrivateNote: note = '' }, payable) => note.split(' ').includes(payable);

const paysBill = ({ Line: lines = [] }, bill) =>
	lines.some(({ LinkedTxn: linked = [] }) => linked.some(({ TxnId: id }) => id === bill));

/** A bill payment as QuickBooks takes it. */
function paymentOf(paid, bill, account) {
	const { payable_id: payable, amount_usd: amount, occurred_at: time } = paid;
	const payment = {
		VendorRef: { value: bill.VendorRef.value },
		PayType: 'Check',
		CheckPayment: { BankAccountRef: { value: account } },
		TotalAmt: Number(amount),
		// QuickBooks takes 21 characters, fewer than a payable's ID has.
		DocNumber: payable.slice(0, 21),
		PrivateNote: `Partner Payments payable ${payable}`,
		Line: [{ Amount: Number(amount), LinkedTxn: [{ TxnId: bill.Id, TxnType: 'Bill' }] }],
	};
	if (typeof time === 'string') {
		payment.TxnDate = time.slice(0, 10);
	}

	if (bill.APAccountRef !== undefined) {
		payment.APAccountRef = { value: bill.APAccountRef.value };
	}

	return payment;
}

/** How many payments a person is told of by name. */
const MOST_UNBOOKED = 20;

/** What a person is told of payments that are not in the books. */
function unbooked(bookings, quote) {
	const lines = bookings.slice(0, MOST_UNBOOKED).map(({ paid, reason }) => {
		const { payable_id: payable, unique_reference: number, payee, amount_usd: amount } = paid;
		const name = number ? `${number} ${payee}` : 'without an invoice number';
		const sum = amount === undefined ? '' : `$${amount} `;

		return `• ${sum}${quote(`${name}, payable ${payable}: ${reason}`)}`;
	});
	if (bookings.length > lines.length) {
		lines.push(`• and ${bookings.length - lines.length} more`);
	}

	return lines.join('\n');
}

/** A booking that QuickBooks was asked for: booked, or told with QuickBooks' reason. */
const bookedAs = (answer, { paid }) =>
	answer.BillPayment?.Id === undefined
		? told(paid, `QuickBooks did not confirm it: ${whyNot(answer)}. ${TRIED_AGAIN}`)
		: { kind: 'booked' };
