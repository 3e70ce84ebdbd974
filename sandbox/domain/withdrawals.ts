import type { Network } from '../network/network';
import { unprocessable } from '../shared/errors';
import { newId } from '../shared/ids';
import { describeAmount } from '../shared/money';
import { balance, bank, recordTransfer, vendorWallet } from './ledger';
import type { VendorRow } from './vendors';

/**
 * A vendor takes money out of the wallet to a bank of their own. No buyer hears of it: there is no
 * event, and nothing in the API shows it.
 * @throws HttpError 422 when the wallet does not hold that much
 */
export function withdraw(network: Network, vendor: VendorRow, amount: number): void {
	const wallet = vendorWallet(vendor.id);
	const available = balance(network, wallet);
	if (available < amount) {
		throw unprocessable(
			'insufficient_funds',
			`The wallet holds ${describeAmount(available)}, which is less than ${describeAmount(amount)}.`,
			'amount',
		);
	}

	recordTransfer(network, {
		kind: 'withdrawal',
		reference: newId('withdrawal'),
		from: wallet,
		to: bank,
		amount,
	});
}
