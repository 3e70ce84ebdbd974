import type { Seed, SeedUser } from './schema';

/** The demonstration network's fixed names, for examples and first steps. No secret here is one. */
export const demo = {
	clientId: 'northwind-demo-client',
	clientSecret: 'northwind-demo-secret',
	workspaceId: '11111111-1111-4111-8111-111111111111',
	secondWorkspaceId: '22222222-2222-4222-8222-222222222222',
	otherClientId: 'harbor-demo-client',
	otherClientSecret: 'harbor-demo-secret',
	otherWorkspaceId: '33333333-3333-4333-8333-333333333333',
	userId: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
	userEmail: 'nora@northwind.example',
	/** Everybody signs in with it. */
	userPassword: 'sandbox-password',
	applicationId: 'bright-demo-application',
	applicationSecret: 'bright-demo-secret',
	verifiedVendorEmail: 'ana@example.com',
	verifiedVendorServiceId: 'ven_ana',
	pendingVendorEmail: 'ben@example.com',
	pendingVendorServiceId: 'ven_ben',
	unattachedVendorEmail: 'cleo@example.com',
	unattachedVendorServiceId: 'ven_cleo',
	/** Minor units in the wallet of `workspaceId`. */
	openingBalance: 500_000,
} as const;

const user = (id: string, email: string, name: string, roles: Record<string, string>): SeedUser => {
	const [firstName = '', lastName = ''] = name.split(' ');
	const memberships = Object.entries(roles).map(([workspaceId, role]) => ({ workspaceId, role }));
	return { id, email, firstName, lastName, memberships };
};

export const defaultSeed: Seed = {
	buyers: [
		{
			name: 'Northwind Media',
			clients: [{ id: demo.clientId, secret: demo.clientSecret }],
			workspaces: [
				{
					id: demo.workspaceId,
					displayName: 'Northwind Media US',
					bspTag: 'northwind',
					accountNumber: '900100200301',
					openingBalance: demo.openingBalance,
				},
				{
					id: demo.secondWorkspaceId,
					displayName: 'Northwind Media Studio',
					accountNumber: '900100200302',
				},
			],
		},
		{
			name: 'Harbor Talent',
			clients: [{ id: demo.otherClientId, secret: demo.otherClientSecret }],
			workspaces: [
				{
					id: demo.otherWorkspaceId,
					displayName: 'Harbor Talent',
					accountNumber: '900100200303',
				},
			],
		},
	],
	applications: [
		{
			id: demo.applicationId,
			name: 'Bright Workflows',
			secret: demo.applicationSecret,
			// Where an n8n that runs on this machine takes the browser back.
			redirectUris: ['http://localhost:5678/rest/oauth2-credential/callback'],
		},
	],
	users: [
		user(demo.userId, 'nora@northwind.example', 'Nora Field', {
			[demo.workspaceId]: 'Admin',
			[demo.secondWorkspaceId]: 'Approver',
		}),
		user('bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb', 'hal@harbor.example', 'Hal Berg', {
			[demo.otherWorkspaceId]: 'Admin',
		}),
		user('cccccccc-cccc-4ccc-8ccc-cccccccccccc', 'mira@agency.example', 'Mira Lindt', {
			[demo.workspaceId]: 'Accountant',
			[demo.otherWorkspaceId]: 'Approver',
		}),
		user('dddddddd-dddd-4ddd-8ddd-dddddddddddd', 'theo@newcomer.example', 'Theo Vance', {}),
	],
	vendors: [
		{
			serviceId: demo.verifiedVendorServiceId,
			email: demo.verifiedVendorEmail,
			businessName: 'Ana Ruiz Studio',
			status: 'verified',
			workspaceIds: [demo.workspaceId],
		},
		{
			serviceId: demo.pendingVendorServiceId,
			email: demo.pendingVendorEmail,
			businessName: 'Ben Okafor Films',
			status: 'pending',
			workspaceIds: [demo.workspaceId],
		},
		{
			serviceId: demo.unattachedVendorServiceId,
			email: demo.unattachedVendorEmail,
			businessName: 'Cleo Park Design',
			status: 'verified',
		},
	],
};
