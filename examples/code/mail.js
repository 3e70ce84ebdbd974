/** How many PDFs of one mail are read, and how many characters the text of one may have. */
const MOST_PDFS = 10;
const LONGEST_TEXT = 20_000;

const isPdf = ({ mimeType, fileName }) =>
	mimeType === 'application/pdf' || /\.pdf$/i.test(fileName ?? '');

const foldAddress = (text) =>
	String(text ?? '')
		.trim()
		.toLowerCase();

/** The one address that a mail says it is from; empty if there is none, or more than one. */
function senderOf({ from }) {
	const senders = from?.value ?? [];

	return senders.length === 1 ? foldAddress(senders[0].address) : '';
}

const addressesOf = ({ email, mail_from: senders }) =>
	[email, ...String(senders ?? '').split(/[\s,;]+/)].map(foldAddress).filter((one) => one !== '');

/** The known vendors whose mails may come from an address. */
const vendorsOf = (sender, vendors) =>
	vendors.filter((vendor) => sender !== '' && addressesOf(vendor).includes(sender));

/**
 * An item for each PDF, or one that says why a mail is not read. Nothing of a mail by others is read.
 *
 * @param mails as n8n's Email Trigger and Gmail Trigger hand them over
 */
const invoicesOf = (mails, vendors) =>
	mails.flatMap(({ json, binary }) => {
		const pdfs = Object.values(binary ?? {}).filter(isPdf);
		const mail = { from: senderOf(json), subject: String(json.subject ?? '') };
		const problem = problemOfMail(mail.from, pdfs, vendors);
		if (problem !== '') {
			return [{ json: { ...mail, problem } }];
		}

		return pdfs.map((pdf) => ({ json: { ...mail, problem }, binary: { data: pdf } }));
	});

/** How a mail is read once more: the trigger reads what is new in its folder. */
const AGAIN =
	'To have it read again, mark the mail as unread, move it to another folder, and back.';

/** Who is paid: one address, and nothing else. */
const PAYEE = /^[^\s,;<>@]+@[^\s,;<>@]+$/;

function problemOfMail(sender, pdfs, vendors) {
	const own = vendorsOf(sender, vendors);
	const unnamed = own.find(({ email }) => !PAYEE.test(foldAddress(email)));
	if (unnamed !== undefined) {
		return `In Settings, the vendor ${unnamed.name ?? 'without a name'} has no email address as its email, which says who is paid. Enter one, and publish the workflow. ${AGAIN}`;
	}

	if (own.length === 0) {
		return `The sender of the mail is not in mail_from of a vendor in Settings. If you can confirm the sender without this mail, add it there, and publish the workflow. ${AGAIN}`;
	}

	if (pdfs.length === 0) {
		return 'The mail has no PDF. Ask the vendor for the invoice as a PDF.';
	}

	return pdfs.length > MOST_PDFS
		? `The mail has ${pdfs.length} PDFs. Ask the vendor to send ${MOST_PDFS} at most.`
		: '';
}

/** A mail with the text of its PDF, or with why that is not read. */
function readMail({ from, subject, problem }, { text = '', error }) {
	const found = problem || problemOfPdf(text, error);

	return { from, subject, problem: found, text: found === '' ? text : '' };
}

function problemOfPdf(text, error) {
	if (error !== undefined) {
		return `The PDF cannot be read: ${error}. Ask the vendor for one that is neither damaged nor locked.`;
	}

	if (isBlank(text)) {
		return 'The PDF has no text. If it is a scan, ask the vendor for the PDF that their program makes.';
	}

	if (text.length > LONGEST_TEXT) {
		return 'The text of the PDF is too long for an invoice. Ask the vendor for the invoice alone.';
	}

	if (OTHER_CURRENCY.test(text)) {
		return 'The PDF names another currency. If the invoice is in US dollars, ask the vendor for a PDF without the other one. If not, ask the person responsible for this workflow.';
	}

	return US_DOLLARS.test(text)
		? ''
		: 'The PDF does not say US dollars. Ask the vendor for an invoice that does.';
}

const US_DOLLARS = /\$|(?<!\p{L})(?:USD|US dollars)(?!\p{L})/u;

const OTHER_CURRENCY =
	/[€£¥₹₩₽₺₫฿]|(?<!\p{L})(?:EUR|GBP|CAD|AUD|NZD|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|MXN|BRL|HKD|SGD|ZAR)(?!\p{L})|(?<!\p{L})(?:CA?|AU?|NZ|HK|S|R|MX)\$/u;

/** An amount as a model may write it: with a sign of the currency, and commas between thousands. */
const ONE_AMOUNT = /^(?:US\$|\$|USD)? ?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,2})? ?(?:USD|US dollars)?$/u;

/** Amounts in a text: with a sign of the currency, or two decimals. Negative ones are none to pay. */
const AMOUNTS =
	/(?<![\p{L}\p{N}.,$(−-])(US\$|USD ?\$?|\$)?[ \u00a0]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{2})?([ \u00a0]?(?:USD|US dollars))?(?![\p{L}\p{N}%]|[.,-]\p{N})/gu;

const centsOfParts = (whole, decimals = '') => centsOf(whole.replaceAll(',', '') + decimals);

function centsOfModel(amount) {
	const [, whole, decimals] = ONE_AMOUNT.exec(amount) ?? [];

	return whole === undefined ? undefined : centsOfParts(whole, decimals);
}

/** The amounts that a text has, in cents, each once. */
const amountsIn = (text) => [
	...new Set(
		[...text.matchAll(AMOUNTS)]
			.filter(([, before, , decimals, after]) => before ?? decimals ?? after)
			.map(([, , whole, decimals]) => centsOfParts(whole, decimals)),
	),
];

const onOneLine = (text) =>
	String(text ?? '')
		.normalize('NFKC')
		.replace(/\s+/g, ' ')
		.trim();

/** Whether a text has a number as it is, and not as a part of another one. */
function standsIn(text, number) {
	const literal = number.replace(
		/[^\p{L}\p{N} ]/gu,
		(sign) => `\\u{${sign.codePointAt(0).toString(16)}}`,
	);
	const whole = `(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][-_/]|\\p{N}\\.)${literal}(?![\\p{L}\\p{N}]|[-_/.][\\p{L}\\p{N}])`;

	return new RegExp(whole, 'u').test(onOneLine(text));
}

/**
 * The row of an invoice. A model has read the PDF, and plain code decides: the payee is the known vendor whose
 * mail it is, and amount and number are in the PDF's text. A row with a problem has no reference, so it is refused.
 */
function invoiceRow(mail, { output = {}, error }, vendors) {
	const fields = Object.fromEntries(
		FIELDS.map((field) => [field, onOneLine(output[field]).slice(0, LONGEST_FIELD)]),
	);
	const cents = centsOfModel(fields.amount);
	const own = vendorsOf(mail.from, vendors);
	const named = own.filter(
		(vendor) =>
			fields.vendor_email === '' || addressesOf(vendor).includes(foldAddress(fields.vendor_email)),
	);
	const problem =
		mail.problem ||
		problemOfFields(fields, error, named) ||
		problemOfText(mail.text, fields, cents);
	const [vendor = {}] = named;

	return {
		row: 1,
		email: problem ? mail.from : foldAddress(vendor.email),
		amount: cents === undefined ? fields.amount : (cents / 100).toFixed(2),
		invoice: fields.invoice_number,
		description: fields.description.replace(/[[\]]/g, ' '),
		vendor: String(vendor.name ?? ''),
		due_date: fields.due_date,
		other_amounts: amountsIn(mail.text).filter((one) => one !== cents),
		other_addresses: strangersIn(mail.text, named),
		problem,
		reference: problem ? '' : fields.invoice_number,
	};
}

const FIELDS = ['vendor_email', 'invoice_number', 'amount', 'due_date', 'description'];
const LONGEST_FIELD = 200;

function problemOfFields({ vendor_email: address, invoice_number: number }, error, named) {
	if (error !== undefined) {
		return `The model has not read the PDF: ${error}. ${AGAIN}`;
	}

	if (named.length === 0) {
		return `The invoice names ${address} as the vendor's address, and the vendor who sent the mail has another one in Settings. Call the vendor at a phone number that you already have. If the address is right, add it to mail_from, and publish the workflow. ${AGAIN}`;
	}

	if (named.length > 1) {
		return 'Several vendors in Settings send mails from this address, and the PDF does not say which one. Ask for a PDF with the email address of the vendor.';
	}

	return /\p{N}/u.test(number)
		? ''
		: 'No invoice number was found in the PDF. Ask the vendor for a PDF that has it.';
}

function problemOfText(text, { invoice_number: number, amount }, cents) {
	if (!standsIn(text, number)) {
		return `The model read the invoice number ${number}, which is not in the PDF. ${AGAIN}`;
	}

	if (cents === undefined || cents === 0) {
		return `The model read ${amount === '' ? 'no amount' : `${amount} as the amount`}, which cannot be paid. A credit note is never paid. ${AGAIN}`;
	}

	return amountsIn(text).includes(cents)
		? ''
		: `The model read the amount ${dollars(cents)}, which is not in the PDF. ${AGAIN}`;
}

/** The addresses in a text that are none of a vendor's. */
function strangersIn(text, named) {
	const known = new Set(named.flatMap(addressesOf));
	const found = text.match(new RegExp(ADDRESS.source, 'gu')) ?? [];

	return [...new Set(found.map(foldAddress))].filter((address) => !known.has(address));
}

/** How many amounts and addresses a question names at most. */
const MOST_OTHERS = 10;

/** The question about an invoice, with what a person compares with the PDF. */
function questionOfInvoice(row, results, { from, subject }) {
	const waiting = waitingOf([row], results);
	const question = questionAbout(waiting, '');
	const lines = [
		question.text,
		`Vendor in Settings: ${quote(row.vendor)}`,
		`Due: ${quote(row.due_date || 'not found')}. For: ${quote(row.description || 'not found')}`,
		`Mail from ${quote(from)}: ${quote(subject)}`,
		...othersOf(row),
	];

	const invoice = quote(`${row.invoice} of ${row.vendor}`);

	return { ...question, can_ask: waiting.length > 0, invoice, text: lines.join('\n') };
}

/** What else the text of a PDF has: where a person does not see it there, it is hidden, or the model was misled. */
function othersOf({ other_amounts: amounts, other_addresses: addresses }) {
	const others = [...amounts.map(dollars), ...addresses.map(quote)];
	if (others.length === 0) {
		return [SEEN];
	}

	const named = others.slice(0, MOST_OTHERS).join(', ');
	if (others.length > MOST_OTHERS) {
		const more = others.length - MOST_OTHERS;
		return [SEEN, `Its text also has: ${named}, and ${more} more. ${NOT_ALL_NAMED}`];
	}

	return [SEEN, `Its text also has: ${named}. Pay only if you see each of them in the PDF.`];
}

const SEEN = 'Pay only if you see this number and this amount in the PDF.';

const NOT_ALL_NAMED =
	'Not all are named here: do not pay before the person responsible has looked at "other_amounts" and "other_addresses" of this run.';

/**
 * What is told at the end of a run.
 *
 * @param mail the mail of the invoice; undefined if no run was started for it
 * @param end what came last: an answer, none, or an error
 */
function reportOfInvoice({ mail, row, question, approvers, end, paid, prepared }) {
	if (mail === undefined) {
		return `No run was started for an invoice, so it was not read: ${quote(errorOf(end))}. ${AGAIN}`;
	}

	const isOver = paid.length > 0 || !question.can_ask;
	const outcome = isOver
		? resultOf(row, paid.length > 0 ? paid : prepared)
		: unpaidOf(row, question, approvers, end);

	return `${outcome}\nMail from ${quote(mail.from)}: ${quote(mail.subject)}`;
}

function resultOf(row, results) {
	if (row.problem !== '') {
		return `Not paid: ${quote(row.problem)}`;
	}

	const told = report([row], askedBy('A mail that is read again', results), quote, 1);

	return results.some(({ json }) => json.status === 'held') ? `${told}\n${AGAIN}` : told;
}

/** What is told of a question that was not asked, or not answered with yes. */
function unpaidOf(row, { total }, approvers, end) {
	const named = `${total} ${quote(`${row.email} ${row.invoice}`)}`;
	const reason =
		end.error === undefined
			? whyUnpaid(end, approvers)
			: `The PDF cannot be shown in Slack (${quote(errorOf(end))})`;

	return `${reason}, so nothing was paid: ${named}. ${NEVER} ${AGAIN}`;
}

/** What was prepared waits, and another workflow may pay it. */
const NEVER = 'If it must not be paid, use "Resolve" of "Payout" as "Not Paid".';

const errorOf = ({ error }) => String(error?.message ?? error);

/** Why an answer, or its absence, has paid nothing. */
function whyUnpaid({ data }, approvers) {
	if (data === undefined) {
		return 'No one has answered';
	}

	return data.approved === true && !approvers.includes(data.responder?.id)
		? 'The person who said yes is not in approvers of Settings'
		: 'A person has declined';
}
