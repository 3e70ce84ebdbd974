import { newId } from '../shared/ids';
import type { Network } from '../network/network';
import { inviteUrl, type WorkspaceRow } from './workspaces';

export type Mail = {
	id: string;
	workspaceId: string;
	to: string;
	subject: string;
	text: string;
	inviteUrl: string;
	sentAt: string;
};

/** Puts an invitation into the outbox; nothing leaves the machine. */
export function sendInvitation(network: Network, workspace: WorkspaceRow, to: string): void {
	const link = inviteUrl(network, workspace);
	network.store.insert('mails', {
		id: newId('mail'),
		workspace_id: workspace.id,
		recipient: to,
		subject: `${workspace.display_name} wants to pay you`,
		text: `${workspace.display_name} invites you to get paid. Accept here: ${link}`,
		invite_url: link,
		sent_at: network.clock.iso(),
	});
}

export function readOutbox(network: Network): Mail[] {
	return network.store.all<Mail>(
		`SELECT id, workspace_id AS workspaceId, recipient AS "to", subject, text,
			invite_url AS inviteUrl, sent_at AS sentAt FROM mails ORDER BY rowid`,
	);
}
