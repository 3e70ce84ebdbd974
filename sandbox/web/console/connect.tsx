import { allClients, authenticateClient, type ClientView } from '../../domain/clients';
import { demo } from '../../seed/demo';
import type { Network } from '../../network/network';
import { UserText } from '../../ui/text';
import { consolePath, type Connection, type PagesContext } from './frame';

/** What a client needs, by the name of the field in n8n's credential. */
interface Value {
	field: string;
	label: string;
	value: string;
}

const SECRET_OF_YOURS = 'the secret that you gave this client';

/** The secret of a client, where it is that of the demonstration: no other one is kept. */
function secretOf({ store }: Network, { id }: ClientView): string {
	const known: Partial<Record<string, string>> = {
		[demo.clientId]: demo.clientSecret,
		[demo.otherClientId]: demo.otherClientSecret,
	};

	const secret = known[id] ?? '';
	return authenticateClient(store, id, secret) ? secret : SECRET_OF_YOURS;
}

const valuesOf = (
	network: Network,
	{ apiUrl, authUrl, audience }: Connection,
	client: ClientView,
): Value[] => [
	{ field: 'apiBaseUrl', label: 'API Base URL', value: apiUrl },
	{ field: 'authBaseUrl', label: 'Auth Base URL', value: authUrl },
	{ field: 'clientId', label: 'Client ID', value: client.id },
	{ field: 'clientSecret', label: 'Client Secret', value: secretOf(network, client) },
	{ field: 'audience', label: 'Audience', value: audience },
	{ field: 'defaultWorkspaceId', label: 'Workspace ID', value: client.workspaceId ?? 'none' },
];

/** A file for n8n's own command, which keeps the secrets encrypted. */
function credentialOf(context: PagesContext, client: ClientView, values: Value[]): string {
	const { requestsPerMinute, rateWindowSeconds } = context.network.settings.values;
	const data = {
		environment: context.production ? 'production' : 'sandbox',
		...Object.fromEntries(values.map(({ field, value }) => [field, value])),
		requestsPerMinute,
		rateWindowSeconds,
	};

	const credential = {
		id: `sandbox-${client.id}`,
		name: `Sandbox, ${client.buyer}`,
		type: 'partnerPaymentsApi',
		data,
	};

	return JSON.stringify([credential], null, 2);
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf(values: Value[]): string {
	const of = Object.fromEntries(values.map(({ field, value }) => [field, value]));
	const token = JSON.stringify({
		grant_type: 'client_credentials',
		client_id: of['clientId'],
		client_secret: of['clientSecret'],
		audience: of['audience'],
	});

	const payable = JSON.stringify({
		workspace_id: of['defaultWorkspaceId'],
		payee_email: demo.verifiedVendorEmail,
		amount: 125_000,
	});

	return [
		`TOKEN=$(curl -s ${of['authBaseUrl'] ?? ''}/oauth/token \\`,
		"  -H 'Content-Type: application/json' \\",
		`  -d ${quoted(token)} \\`,
		`  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
		'',
		`curl -s ${of['apiBaseUrl'] ?? ''}/payable \\`,
		'  -H "Authorization: Bearer $TOKEN" \\',
		"  -H 'Content-Type: application/json' \\",
		`  -d ${quoted(payable)}`,
	].join('\n');
}

/** A button that copies the text of an element; only where a script can run. */
const Copy = ({ of, about }: { of: string; about: string }) => (
	<button type="button" class="small second copy" data-copy={of} hidden>
		Copy<span class="visually-hidden"> {about}</span>
	</button>
);

const Text = ({ id, about, text }: { id: string; about: string; text: string }) => (
	<div class="copied">
		<pre tabIndex={0} aria-label={about}>
			<code id={id}>{text}</code>
		</pre>
		<Copy of={id} about={about} />
	</div>
);

const Choice = ({ clients, chosen }: { clients: ClientView[]; chosen: ClientView }) => (
	<ul class="choice" aria-label="Clients">
		{clients.map(({ id, buyer }) => (
			<li key={id}>
				<a
					href={consolePath('overview', { client: id })}
					aria-current={id === chosen.id ? true : undefined}
				>
					<UserText>{buyer}</UserText>
				</a>
			</li>
		))}
	</ul>
);

/** The values that a client needs, one by one, as a credential of n8n, and as commands. */
export const Connect = ({ context, url }: { context: PagesContext; url: URL }) => {
	const clients = allClients(context.network.store);
	const chosen = clients.find(({ id }) => id === url.searchParams.get('client')) ?? clients[0];
	if (chosen === undefined) {
		return <p class="empty">No clients. Reset the sandbox to start over.</p>;
	}

	const values = valuesOf(context.network, context.connection(), chosen);
	return (
		<>
			{clients.length > 1 && <Choice clients={clients} chosen={chosen} />}
			<dl class="values">
				{values.map(({ field, label, value }) => (
					<div key={field}>
						<dt>{label}</dt>
						<dd>
							<code id={`value-${field}`}>{value}</code>
							<Copy of={`value-${field}`} about={label} />
						</dd>
					</div>
				))}
			</dl>
			<details>
				<summary>As an n8n credential</summary>
				<p class="note">
					In n8n, choose the credential Partner Payments API and fill in the fields above. Or save
					this as a file, and run <code>n8n import:credentials --input=FILE</code>.
				</p>
				<Text
					id="value-credential"
					about="The n8n credential"
					text={credentialOf(context, chosen, values)}
				/>
			</details>
			<details>
				<summary>With curl</summary>
				<p class="note">A token, and a payable of $1,250.00 for Ana.</p>
				<Text id="value-curl" about="The curl commands" text={curlOf(values)} />
			</details>
		</>
	);
};
