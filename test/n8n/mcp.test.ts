import { randomUUID } from 'node:crypto';
import axios from 'axios';

import { byEmail, byId, type Workflow } from '../../tools/n8n';
import { withCredentials } from '../../tools/n8n/workflow';
import { useFixture } from './support/fixture';

const fixture = useFixture();

const TRIGGER = 'MCP Server Trigger';
const path = randomUUID();
const fromClient = (key: string): string => `={{ $fromAI('${key}', \`\`, 'string') }}`;

const AT_START = { typeVersion: 1, position: [0, 0] satisfies [number, number] };

/** A workflow that offers this package's node as tools to clients of MCP, each with its parameters. */
function server(tools: Record<string, object>): Workflow {
	const names = Object.keys(tools);
	const type = 'n8n-nodes-partner-payments.partnerPaymentsTool';
	const target = { node: TRIGGER, type: 'ai_tool', index: 0 };

	return {
		name: 'MCP',
		nodes: [
			{
				...AT_START,
				id: TRIGGER,
				name: TRIGGER,
				webhookId: path,
				typeVersion: 2,
				type: '@n8n/n8n-nodes-langchain.mcpTrigger',
				parameters: { path },
			},
			...names.map((name) => ({
				...AT_START,
				id: name,
				name,
				type,
				parameters: { ...tools[name] },
			})),
		],
		connections: Object.fromEntries(names.map((name) => [name, { ai_tool: [[target]] }])),
		settings: { executionOrder: 'v1' },
	};
}

/** What a server says of a call. */
interface McpResult {
	tools?: Array<{ name: string }>;
	content?: Array<{ text: string }>;
	isError?: boolean;
}

/** Begins a session with n8n's MCP Server Trigger; returns what calls a method in it. */
async function connect(url: string) {
	const headers = { Accept: 'application/json, text/event-stream' };
	const post = async (method: string, params: object, session: object = {}) =>
		await axios.post<string>(
			url,
			{ jsonrpc: '2.0', id: method, method, params },
			{ headers: { ...headers, ...session }, proxy: false, responseType: 'text' },
		);

	const begun = await post('initialize', {
		protocolVersion: '2025-03-26',
		capabilities: {},
		clientInfo: { name: 'test', version: '1' },
	});

	const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };

	return async (method: string, params: object): Promise<McpResult> => {
		const { data } = await post(method, params, session);
		// The answer comes as the one event of a stream.
		const [, message = '{}'] = /^data: (.*)$/m.exec(data) ?? [];

		return (JSON.parse(message) as { result?: McpResult }).result ?? {};
	};
}

test('a client of MCP reads what it may, and pays nothing under a reference of its own #mcp-pays-nothing', async () => {
	const { n8n, sandbox, createClient } = fixture();
	const { control, verifiedVendorEmail: email } = sandbox;
	const workspaceId = byId(sandbox.workspaceId);
	const payout = {
		workspaceId,
		payee: byEmail(fromClient('payee')),
		amount: fromClient('amount'),
		fundingMethod: 'balance',
		uniqueReference: fromClient('reference'),
		options: { maxAmount: '1000' },
	};

	const workflow = server({
		Wallet: { resource: 'wallet', operation: 'get', workspaceId },
		Pay: payout,
		'Pay by the hour': { ...payout, uniqueReference: '={{ $now.toISO() }}' },
	});

	const credential = await createClient();
	const { id } = await n8n.createWorkflow(withCredentials(workflow, [credential]));
	await n8n.activate(id);

	const call = await connect(`${n8n.url}/mcp/${path}`);
	const { tools = [] } = await call('tools/list', {});

	expect(tools.map(({ name }) => name).sort()).toEqual(['Pay', 'Pay_by_the_hour', 'Wallet']);

	const wallet = await call('tools/call', { name: 'Wallet', arguments: {} });

	expect(wallet.content).toMatchObject([{ text: expect.stringContaining('"balance":') }]);

	const wanted = { payee: email, amount: '1.00', reference: 'MINE-1' };

	for (const name of ['Pay', 'Pay_by_the_hour']) {
		const { content, isError } = await call('tools/call', { name, arguments: wanted });

		expect(isError).toBe(true);
		expect(content?.[0]?.text).toMatch(
			/A model must not fill in "Unique Reference" .* Stop here and call a person\./,
		);
	}

	expect(await control.requests('createPayable')).toEqual([]);
	expect(await control.vendor(email)).toMatchObject({ balance: 0 });
});
