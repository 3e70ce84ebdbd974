import { otherPaperIn } from '../../../nodes/PartnerPayments/shared/otherPapers';

test.each([
	['Reminder 771', 'reminder'],
	['2nd reminder INV-1042', 'reminder'],
	['Statement January 2027', 'statement'],
	['QUOTE-2409', 'quote'],
	['PO 8812', 'po'],
	['P.O. 8812', 'p.o.'],
	['PO8812', 'po'],
	['Order_5107', 'order'],
	['Purchase  Order 5107', 'purchase order'],
	['Delivery-Note 20457', 'delivery note'],
	['Delivery - note 20457', 'delivery note'],
	['Pro-forma 12', 'pro forma'],
	['Proforma 12', 'proforma'],
	['Mahnung 2 zu RE-118', 'mahnung'],
	['Auftragsbestätigung 118', 'auftragsbestätigung'],
	['Relevé 05/2026', 'relevé'],
	['Albarán 33', 'albarán'],
	['Estratto conto 12', 'estratto conto'],
	['Pakbon 12', 'pakbon'],
	['Credit note 88', 'credit note'],
	['Gutschrift 88', 'gutschrift'],
])('%s names a %s', (reference, paper) => {
	expect(otherPaperIn(reference)).toBe(paper);
});

test.each([
	'INV-1042',
	'Border 12',
	'Reorder 12',
	'Orders of May',
	'Pool 7',
	'Delivery 15 December 2026',
	'Consulting',
	'',
])('%s names no other paper', (reference) => {
	expect(otherPaperIn(reference)).toBeUndefined();
});
