import axios from 'axios';

/** What a server says of a call: the text, and whether it is an error. */
export interface McpAnswer {
	text: string;
	isError: boolean;
}

interface McpResult {
	tools?: Array<{ name: string }>;
	content?: Array<{ text: string }>;
	isError?: boolean;
}

/** A client of n8n's MCP Server Trigger. */
export class McpClient {
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
