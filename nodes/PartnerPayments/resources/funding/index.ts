import type { Resource } from '../../execution/operation';
import { create } from './create';
import { getInvoicePdf } from './getInvoicePdf';
import { linkDeposit } from './linkDeposit';

export const funding: Resource = {
	name: 'Funding',
	value: 'funding',
	operations: [create, getInvoicePdf, linkDeposit],
};
