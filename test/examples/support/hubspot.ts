import type { Service } from '../../../tools/services';

/** HubSpot as n8n's nodes see it: one deal, and the address that a trigger has subscribed. */
export interface Hubspot {
	deal: Record<string, string>;
	targetUrl: string;
	service: Service;
}

export function hubspot(dealId: number, deal: Record<string, string>): Hubspot {
	const state: Hubspot = {
		deal,
		targetUrl: '',
		service: ({ method, path, body }) => {
			if (path.startsWith('/webhooks/v3/')) {
				if (method === 'PUT') {
					state.targetUrl = (body as { targetUrl: string }).targetUrl;
				}

				return { results: [] };
			}

			if (path !== `/deals/v1/deal/${dealId}`) {
				return undefined;
			}

			if (method === 'PUT') {
				const { properties } = body as { properties: Array<{ name: string; value: string }> };
				for (const { name, value } of properties) {
					deal[name] = value;
				}
			}

			const properties = Object.entries(deal).map(([name, value]) => [name, { value }]);

			return { dealId, properties: Object.fromEntries(properties) as object };
		},
	};

	return state;
}
