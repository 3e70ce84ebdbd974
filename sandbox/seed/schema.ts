import type { XStatic } from 'typebox/schema';
import { eventDataSchema, eventTypes } from '../network/events';
import { email, minorUnits, object, text } from '../shared/jsonSchema';

const uuid = { type: 'string', format: 'uuid' } as const;

const workspace = object(
	{
		id: uuid,
		displayName: text,
		/** Tag of a branded signup, which then stands in the invite link. */
		bspTag: text,
		accountNumber: text,
		routingNumber: text,
		/** What the wallet holds from the start, without any deposit. */
		openingBalance: minorUnits,
		deposits: { type: 'array', items: minorUnits },
	},
	['displayName'],
);

const buyer = object(
	{
		name: text,
		clients: {
			type: 'array',
			items: object({ id: text, secret: text }, ['id', 'secret']),
		},
		workspaces: { type: 'array', items: workspace },
	},
	['name'],
);

const application = object(
	{ id: text, name: text, secret: text, redirectUris: { type: 'array', items: text } },
	['id', 'name', 'secret'],
);

const membership = object({ workspaceId: uuid, role: text }, ['workspaceId', 'role']);
const user = object(
	{
		id: uuid,
		email,
		firstName: text,
		lastName: text,
		memberships: { type: 'array', items: membership },
	},
	['email', 'firstName', 'lastName'],
);

export const vendorStatus = { type: 'string', enum: ['pending', 'verified', 'rejected'] } as const;

const vendor = object(
	{
		/** The network identifier (payee_service_id). */
		serviceId: text,
		email,
		businessName: text,
		status: vendorStatus,
		workspaceIds: { type: 'array', items: uuid },
	},
	['email'],
);

const lineItem = object({ amount: minorUnits, description: text }, ['amount', 'description']);

const payable = object(
	{
		id: { type: 'string', pattern: '^pbl_\\w+$' },
		workspaceId: uuid,
		payeeEmail: email,
		amount: minorUnits,
		description: { type: 'string' },
		dueDate: { type: 'string', format: 'date-time', pattern: 'Z$' },
		lineItems: { type: 'array', items: lineItem },
		/** How far the buyer has come with it: what is funded settles by the rules. */
		status: { type: 'string', enum: ['draft', 'approved', 'funded'] },
	},
	['workspaceId', 'payeeEmail', 'amount'],
);

const event = object(
	{ event_type: { type: 'string', enum: eventTypes }, workspaceId: uuid, data: eventDataSchema },
	['event_type', 'workspaceId', 'data'],
);

/** JSON schema of a network to begin with. Everything that is left out is made up, or empty. */
export const seedSchema = object({
	buyers: { type: 'array', items: buyer },
	applications: { type: 'array', items: application },
	users: { type: 'array', items: user },
	vendors: { type: 'array', items: vendor },
	payables: { type: 'array', items: payable },
	events: { type: 'array', items: event },
});

export type Seed = XStatic<typeof seedSchema>;
export type SeedBuyer = XStatic<typeof buyer>;
export type SeedWorkspace = XStatic<typeof workspace>;
export type SeedUser = XStatic<typeof user>;
export type SeedVendor = XStatic<typeof vendor>;
export type SeedEvent = XStatic<typeof event>;
export type SeedPayable = XStatic<typeof payable>;
