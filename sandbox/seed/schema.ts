import type { VendorStatus } from '../domain/vendors';

/** A network to begin with. Everything that is left out is made up, or empty. */
export interface Seed {
	buyers?: {
		name: string;
		clients?: { id: string; secret: string }[];
		workspaces?: {
			/** UUID. */
			id?: string;
			displayName: string;
			/** Tag of a branded signup, which then stands in the invite link. */
			bspTag?: string;
			accountNumber?: string;
			routingNumber?: string;
			/** Minor units that the wallet holds from the start, without any deposit. */
			openingBalance?: number;
			/** Minor units of deposits that have arrived and are not linked. */
			deposits?: number[];
		}[];
	}[];
	/** Third parties' applications that act for users who consent. */
	applications?: { id: string; name: string; secret: string; redirectUris?: string[] }[];
	users?: {
		/** UUID. */
		id?: string;
		email: string;
		firstName: string;
		lastName: string;
		memberships?: { workspaceId: string; role: string }[];
	}[];
	/** Vendors of the network, and the workspaces they have joined. */
	vendors?: {
		/** The network identifier (payee_service_id). */
		serviceId?: string;
		email: string;
		businessName?: string;
		/** `pending` when left out. */
		status?: VendorStatus;
		workspaceIds?: string[];
	}[];
}

const uuid = { type: 'string', format: 'uuid' } as const;
const text = { type: 'string', minLength: 1 } as const;
const email = { type: 'string', format: 'email' } as const;
const minorUnits = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER } as const;

const listOf = (required: string[], properties: Record<string, unknown>) => ({
	type: 'array',
	items: { type: 'object', additionalProperties: false, required, properties },
});

/** JSON schema of a Seed. */
export const seedSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		buyers: listOf(['name'], {
			name: text,
			clients: listOf(['id', 'secret'], { id: text, secret: text }),
			workspaces: listOf(['displayName'], {
				id: uuid,
				displayName: text,
				bspTag: text,
				accountNumber: text,
				routingNumber: text,
				openingBalance: minorUnits,
				deposits: { type: 'array', items: minorUnits },
			}),
		}),
		applications: listOf(['id', 'name', 'secret'], {
			id: text,
			name: text,
			secret: text,
			redirectUris: { type: 'array', items: text },
		}),
		users: listOf(['email', 'firstName', 'lastName'], {
			id: uuid,
			email,
			firstName: text,
			lastName: text,
			memberships: listOf(['workspaceId', 'role'], { workspaceId: uuid, role: text }),
		}),
		vendors: listOf(['email'], {
			serviceId: text,
			email,
			businessName: text,
			status: { type: 'string', enum: ['pending', 'verified', 'rejected'] },
			workspaceIds: { type: 'array', items: uuid },
		}),
	},
};
