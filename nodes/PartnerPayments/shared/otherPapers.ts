import { normalizeReference } from './references';

/*
 * References that name a paper which a vendor sends beside its invoices, such as a reminder. Paying it pays an invoice
 * again, often with another amount: a reminder has a fee, and a statement has the sum of several invoices.
 */

/** Those of a reminder, a statement, a quote, an order, a delivery note, and a credit note, in the languages of many invoices. */
const PAPERS = [
	// English
	'reminder|dunning|overdue notice|statement|quote|quotation|estimate|pro ?forma|purchase order|order|po|p\\.o\\.',
	'delivery note|delivery slip|packing slip|packing list|credit note|credit memo',
	// German
	'mahnung|zahlungserinnerung|erinnerung|kontoauszug|angebot|kostenvoranschlag|auftrag|auftragsbestätigung',
	'bestellung|lieferschein|gutschrift',
	// French
	'rappel|relance|relevé|devis|commande|bon de commande|bon de livraison|avoir',
	// Spanish
	'recordatorio|extracto|presupuesto|pedido|albarán|nota de crédito',
	// Italian
	'sollecito|estratto conto|preventivo|ordine|bolla|nota di credito',
	// Dutch
	'aanmaning|herinnering|offerte|bestelling|pakbon|creditnota',
];

const PAPER = new RegExp(String.raw`(?<!\p{L})(?:${PAPERS.join('|')})(?!\p{L})`, 'u');
/** People write these between words, as in delivery-note. */
const BETWEEN_WORDS = /[\s_-]+/g;

/** The paper that a reference names and that is no invoice, such as `reminder` for `Reminder 771`. */
export function otherPaperIn(reference: string): string | undefined {
	const words = normalizeReference(reference).toLowerCase().replace(BETWEEN_WORDS, ' ');
	return PAPER.exec(words)?.[0];
}
