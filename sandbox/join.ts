import type { FastifyInstance } from 'fastify';
import { acceptInvitation } from './domain/vendors';
import type { Network } from './domain/network';
import { findWorkspace, type WorkspaceRow } from './domain/workspaces';

/**
 * Serves the page behind an invite link, where a person can play the vendor who accepts. Verifying
 * the vendor afterwards is the network's business: the control API does it.
 */
export function serveJoin(app: FastifyInstance, network: Network): void {
	const invited = (url: string): WorkspaceRow | undefined =>
		findWorkspace(network, new URL(url, network.origin()).searchParams.get('invitationId') ?? '');

	app.get('/join', async (request, reply) => {
		const workspace = invited(request.url);
		return await reply
			.code(workspace === undefined ? 404 : 200)
			.type('text/html; charset=utf-8')
			.send(workspace === undefined ? unknown : form(workspace));
	});
	app.post('/join', async (request, reply) => {
		const workspace = invited(request.url);
		const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? String(request.body) : '');
		const email = fields.get('email')?.trim() ?? '';
		if (workspace === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) {
			return await reply.code(400).type('text/html; charset=utf-8').send(unknown);
		}
		const name = fields.get('business_name')?.trim();
		network.store.transaction(() => {
			acceptInvitation(
				network,
				workspace.id,
				email,
				name === undefined || name === '' ? null : name,
			);
		});
		return await reply.type('text/html; charset=utf-8').send(accepted(workspace, email));
	});
}

const page = (body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Get paid (sandbox)</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem}
label{display:block;margin:1rem 0}input{display:block;width:100%;font:inherit;padding:.4rem}
button{font:inherit;padding:.5rem 1.2rem}</style></head><body>${body}</body></html>`;

const unknown = page('<h1>This invitation does not work</h1><p>Ask the buyer for a new link.</p>');

const form = ({ display_name }: WorkspaceRow): string =>
	page(`<h1>${escape(display_name)} wants to pay you</h1>
<form method="post">
<label>E-mail address <input name="email" type="email" required></label>
<label>Business name <input name="business_name"></label>
<button>Accept</button></form>`);

const accepted = ({ display_name }: WorkspaceRow, email: string): string =>
	page(`<h1>Welcome</h1><p>${escape(email)} is now a partner of ${escape(display_name)}.</p>`);

const escape = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
