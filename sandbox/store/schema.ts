/** Written into every data file. It grows with every change of the schema below. */
export const SCHEMA_VERSION = 7;

/** How much a delivery needs a person, most first. An index has the same expression. */
export const DELIVERY_TROUBLE = `CASE deliveries.state WHEN 'failed' THEN 3 WHEN 'dropped' THEN 2
	WHEN 'delivered' THEN 0 ELSE 1 END`;

/**
 * The whole schema, referred tables first. Money is INTEGER in the minor unit; times are ISO 8601
 * text. A vendor exists once in the network, and a partner is a vendor as one workspace knows it;
 * `address_known` says whether the workspace knows the vendor's address, or the identifier alone.
 */
export const schema = `
CREATE TABLE IF NOT EXISTS settings (
	name TEXT PRIMARY KEY, value TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS snapshots (
	name TEXT PRIMARY KEY, taken_at TEXT NOT NULL, state TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS buyers (
	id TEXT PRIMARY KEY, name TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS clients (
	id TEXT PRIMARY KEY, buyer_id TEXT NOT NULL REFERENCES buyers, secret_hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS applications (
	id TEXT PRIMARY KEY, name TEXT NOT NULL, secret_hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS redirect_uris (
	application_id TEXT NOT NULL REFERENCES applications, uri TEXT NOT NULL,
	PRIMARY KEY (application_id, uri)
) STRICT;
CREATE TABLE IF NOT EXISTS identity_records (
	model TEXT NOT NULL, id TEXT NOT NULL, uid TEXT, grant_id TEXT, payload TEXT NOT NULL,
	expires_at INTEGER, PRIMARY KEY (model, id)
) STRICT;
CREATE INDEX IF NOT EXISTS identity_records_by_uid ON identity_records (uid);
CREATE INDEX IF NOT EXISTS identity_records_by_grant ON identity_records (grant_id);
CREATE TABLE IF NOT EXISTS users (
	id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, first_name TEXT NOT NULL,
	last_name TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS roles (
	id TEXT PRIMARY KEY, display_name TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS workspaces (
	id TEXT PRIMARY KEY, buyer_id TEXT NOT NULL REFERENCES buyers, display_name TEXT NOT NULL,
	bsp_tag TEXT, account_number TEXT NOT NULL UNIQUE, routing_number TEXT NOT NULL,
	created_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS memberships (
	user_id TEXT NOT NULL REFERENCES users, workspace_id TEXT NOT NULL REFERENCES workspaces,
	role_id TEXT NOT NULL REFERENCES roles, PRIMARY KEY (user_id, workspace_id)
) STRICT;
CREATE TABLE IF NOT EXISTS vendors (
	id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, business_name TEXT,
	status TEXT NOT NULL CHECK (status IN ('pending', 'verified', 'rejected')),
	tax_form_expired_at TEXT, page_key TEXT NOT NULL,
	created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS partners (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, email TEXT NOT NULL,
	business_name TEXT, address_known INTEGER NOT NULL CHECK (address_known IN (0, 1)),
	accepted_at TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
	UNIQUE (workspace_id, email)
) STRICT;
CREATE INDEX IF NOT EXISTS partners_by_email ON partners (email);
CREATE TABLE IF NOT EXISTS fundings (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces,
	method TEXT NOT NULL CHECK (method IN ('balance', 'invoice')),
	amount INTEGER NOT NULL CHECK (amount > 0), amount_denomination TEXT NOT NULL, description TEXT,
	po_number TEXT, status TEXT NOT NULL CHECK (status IN ('awaiting_deposit', 'funded')),
	document_key TEXT UNIQUE, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS fundings_by_workspace ON fundings (workspace_id);
CREATE TABLE IF NOT EXISTS deposits (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces,
	amount INTEGER NOT NULL CHECK (amount > 0), amount_denomination TEXT NOT NULL,
	funding_id TEXT UNIQUE REFERENCES fundings, received_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS deposits_unlinked ON deposits (workspace_id) WHERE funding_id IS NULL;
CREATE TABLE IF NOT EXISTS payables (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces,
	payee_email TEXT NOT NULL, address_known INTEGER NOT NULL CHECK (address_known IN (0, 1)),
	amount INTEGER NOT NULL CHECK (amount > 0),
	amount_denomination TEXT NOT NULL, description TEXT, due_date TEXT, line_items TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN ('draft', 'approved', 'will_pay', 'paid')),
	created_at TEXT NOT NULL, updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS payables_by_payee ON payables (payee_email);
CREATE INDEX IF NOT EXISTS payables_waiting ON payables (payee_email)
	WHERE status IN ('approved', 'will_pay');
CREATE INDEX IF NOT EXISTS payables_by_workspace ON payables (workspace_id);
CREATE INDEX IF NOT EXISTS payables_by_status ON payables (workspace_id, status, amount);
CREATE TABLE IF NOT EXISTS moves (
	id INTEGER PRIMARY KEY, payable_id TEXT NOT NULL REFERENCES payables, status TEXT NOT NULL,
	at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS moves_by_payable ON moves (payable_id);
CREATE TABLE IF NOT EXISTS allocations (
	id INTEGER PRIMARY KEY, funding_id TEXT NOT NULL REFERENCES fundings,
	payable_id TEXT NOT NULL REFERENCES payables,
	status TEXT NOT NULL CHECK (status IN ('waiting', 'will_pay', 'paid')),
	UNIQUE (funding_id, payable_id)
) STRICT;
CREATE INDEX IF NOT EXISTS allocations_by_payable ON allocations (payable_id, id);
CREATE INDEX IF NOT EXISTS allocations_in_settlement ON allocations (id) WHERE status = 'will_pay';
CREATE TABLE IF NOT EXISTS transfers (
	id INTEGER PRIMARY KEY, kind TEXT NOT NULL, reference TEXT NOT NULL, created_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS transfers_by_reference ON transfers (reference);
CREATE TABLE IF NOT EXISTS entries (
	id INTEGER PRIMARY KEY, transfer_id INTEGER NOT NULL REFERENCES transfers,
	account TEXT NOT NULL, amount INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS entries_by_account ON entries (account, id, amount);
CREATE TABLE IF NOT EXISTS mails (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, recipient TEXT NOT NULL,
	subject TEXT NOT NULL, text TEXT NOT NULL, invite_url TEXT NOT NULL, sent_at TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS subscriptions (
	id TEXT PRIMARY KEY, workspace_id TEXT NOT NULL REFERENCES workspaces, url TEXT NOT NULL,
	events TEXT NOT NULL, secret TEXT NOT NULL, created_at TEXT NOT NULL, ended_at TEXT
) STRICT;
CREATE TABLE IF NOT EXISTS events (
	sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event_type TEXT NOT NULL,
	workspace_id TEXT NOT NULL REFERENCES workspaces, subject_id TEXT, data TEXT NOT NULL,
	created_at TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_subject ON events (subject_id);
CREATE INDEX IF NOT EXISTS events_by_workspace ON events (workspace_id);
CREATE TABLE IF NOT EXISTS deliveries (
	id TEXT PRIMARY KEY, event_id TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
	subscription_id TEXT NOT NULL REFERENCES subscriptions,
	state TEXT NOT NULL CHECK (state IN ('waiting', 'sending', 'delivered', 'failed', 'dropped')),
	attempts INTEGER NOT NULL, due_at TEXT NOT NULL, last_status INTEGER, last_error TEXT,
	delivered_at TEXT, postponed_by TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS deliveries_by_event ON deliveries (event_id);
CREATE INDEX IF NOT EXISTS deliveries_by_subscription ON deliveries (subscription_id, due_at)
	WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS deliveries_by_trouble ON deliveries (${DELIVERY_TROUBLE.replaceAll('deliveries.', '')});
CREATE INDEX IF NOT EXISTS deliveries_by_state ON deliveries (state);
CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (due_at) WHERE state = 'waiting';
`;

/** The tables that hold the network's state, referred ones before those that refer to them. */
export const tables = [...schema.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)]
	.map(([, name]) => String(name))
	.filter((name) => name !== 'settings' && name !== 'snapshots');

/** What the sandbox remembers for people, in memory whatever the state is kept in. */
export const logSchema = `
ATTACH ':memory:' AS log;
PRAGMA log.page_size = 16384;
CREATE TABLE log.entries (
	kind TEXT NOT NULL, number INTEGER NOT NULL, name TEXT, status_class TEXT NOT NULL,
	entry TEXT NOT NULL,
	PRIMARY KEY (kind, number)
) STRICT;
CREATE INDEX log.entries_by_name ON entries (kind, name, number);
CREATE INDEX log.entries_by_class ON entries (kind, status_class, number);
CREATE TABLE log.mentions (
	subject TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL,
	PRIMARY KEY (subject, kind, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX log.mentions_by_entry ON mentions (kind, number);
`;
