import axios from 'axios';

import { byId, type Workflow, type WorkflowNode } from '../../tools/n8n';
import { withCredentials } from '../../tools/n8n/workflow';
import { useFixture } from './support/fixture';

const fixture = useFixture();

const TRIGGER = 'MCP Server Trigger';
const fromClient = (key: string): string => `={{ $fromAI('${key}', \`\`, 'string') }}`;

/** A workflow that offers this package's node as tools to clients of MCP, each with its parameters. */
function server(tools: Record<string, object>): Workflow {
	const names = Object.keys(tools);
	const nodes = names.map((name): WorkflowNode => ({
		id: name,
		name,
		type: 'n8n-nodes-partner-payments.partnerPaymentsTool',
		typeVersion: 1,
		position: [0, 0],
		parameters: { ...tools[name] },
	}));
	const trigger: WorkflowNode = {
		id: TRIGGER,
		name: TRIGGER,
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0],
		parameters: { path: 'payouts' },
		webhookId: 'payouts',
	};
	const target = { node: TRIGGER, type: 'ai_tool', index: 0 };
	return {
		name: 'MCP',
		nodes: [trigger, ...nodes],
		connections: Object.fromEntries(names.map((name) => [name, { ai_tool: [[target]] }])),
		settings: { executionOrder: 'v1' },
	};
}

/** What a server says of a call: the text, and whether it is an error. */
interface McpAnswer {
	text: string;
	isError: boolean;
}

interface McpResult {
	tools?: Array<{ name: string }>;
	content?: Array<{ text: string }>;
	isError?: boolean;
}

/** A client of n8n's MCP Server Trigger. */
class McpClient {
	private session: string | undefined;
	private calls = 0;

	/** @param url of the trigger */
	constructor(private readonly url: string) {}

	/** Begins a session; returns the names of the tools. */
	async connect(): Promise<string[]> {
		await this.request('initialize', {
			protocolVersion: '2025-03-26',
			capabilities: {},
			clientInfo: { name: 'test', version: '1' },
		});
		const { tools = [] } = await this.request('tools/list', {});
		return tools.map(({ name }) => name).sort();
	}

	/** Calls a tool with these arguments. */
	async call(name: string, given: object): Promise<McpAnswer> {
		const { content, isError = false } = await this.request('tools/call', {
			name,
			arguments: given,
		});
		return { text: content?.[0]?.text ?? '', isError };
	}

	/** Sends a request of JSON-RPC, whose answer comes as the one event of a stream. */
	private async request(method: string, params: object): Promise<McpResult> {
		this.calls += 1;
		const { data, headers } = await axios.post<string>(
			this.url,
			{ jsonrpc: '2.0', id: this.calls, method, params },
			{
				headers: {
					Accept: 'application/json, text/event-stream',
					...(this.session !== undefined && { 'mcp-session-id': this.session }),
				},
				proxy: false,
				responseType: 'text',
			},
		);
		this.session ??= String(headers['mcp-session-id']);
		const [, message = '{}'] = /^data: (.*)$/m.exec(data) ?? [];
		const { result = {} } = JSON.parse(message) as { result?: McpResult };
		return result;
	}
}

test('a client of MCP reads what it may, and pays nothing under a reference of its own #mcp-pays-nothing', async () => {
	const { n8n, sandbox, createClient, ledger } = fixture();
	const { control, verifiedVendorEmail: email } = sandbox;
	const workspaceId = byId(sandbox.workspaceId);
	const payout = {
		workspaceId,
		payeeEmail: fromClient('payee'),
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
	const credential = await createClient(ledger);
	const { id } = await n8n.createWorkflow(withCredentials(workflow, [credential]));
	await n8n.activate(id);

	const client = new McpClient(`${n8n.url}/mcp/payouts`);
	expect(await client.connect()).toEqual(['Pay', 'Pay_by_the_hour', 'Wallet']);
	const wallet = await client.call('Wallet', {});
	expect(wallet).toEqual({ text: expect.stringContaining('"balance":'), isError: false });

	const wanted = { payee: email, amount: '1.00', reference: 'MINE-1' };
	for (const name of ['Pay', 'Pay_by_the_hour']) {
		const { text, isError } = await client.call(name, wanted);
		expect(isError).toBe(true);
		expect(text).toMatch(/Unique Reference reads .* Stop here and tell a person\./);
	}
	expect(await control.requests('createPayable')).toEqual([]);
	expect(await control.vendor(email)).toMatchObject({ balance: 0 });
});
