import type { FastifyInstance } from 'fastify';
import { balance, vendorWallet } from '../../domain/ledger';
import type { Network } from '../../network/network';
import { invitationsTo, paymentsTo, payablesWaitingFor } from '../../domain/vendor-account';
import { findVendor } from '../../domain/vendors';
import { inviteUrl } from '../../domain/workspaces';
import { HttpError } from '../../shared/errors';
import { sendPage } from '../../ui/page';
import { VendorPage } from './vendor-page';

/** Serves each vendor's own page, the only place that shows the wallet to its owner. */
export function serveVendor(app: FastifyInstance, network: Network): void {
	app.get<{ Params: { serviceId: string } }>('/vendor/:serviceId', async (request, reply) => {
		const { serviceId } = request.params;
		const vendor = findVendor(network, serviceId);
		// Knowing somebody's address is not enough to see the wallet.
		if (vendor === undefined || vendor.id !== serviceId) {
			throw new HttpError(404, 'not_found', 'The network has no vendor with this identifier.');
		}
		const account = {
			vendor,
			balance: balance(network, vendorWallet(vendor.id)),
			payments: paymentsTo(network, vendor.id),
			waiting: payablesWaitingFor(network, vendor.email),
			invitations: invitationsTo(network, vendor.email).map((workspace) => ({
				workspace: workspace.display_name,
				url: inviteUrl(network, workspace),
			})),
		};
		await sendPage(reply, <VendorPage {...account} />);
	});
}
