import { createHmac } from 'node:crypto';
import axios from 'axios';

import type { Event, Sandbox } from '../../sandbox/client';

/**
 * Sends an event that the sandbox has recorded to everybody who has subscribed to it, signed, as
 * the service does.
 *
 * @throws axios' error when somebody does not take it
 */
export async function deliver(sandbox: Sandbox, event: Event, secret: string): Promise<void> {
	const body = Buffer.from(JSON.stringify(event));
	const signature = createHmac('sha256', secret).update(body).digest('hex');
	const headers = { 'Content-Type': 'application/json', 'X-Signature': signature };
	for (const { workspaceId, events, url } of await sandbox.control.subscriptions()) {
		if (workspaceId !== event.workspace_id || !events.includes(event.event_type)) continue;
		await axios.post(url, body, { headers, proxy: false });
	}
}
