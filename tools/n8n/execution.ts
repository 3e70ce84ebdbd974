/** One item of a workflow. */
export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, { data: string; id?: string; mimeType: string; fileName?: string }>;
	pairedItem?: unknown;
}

/** An error as n8n stores it with an execution. */
export interface NodeError {
	message: string;
	description?: string | null;
	httpCode?: string | null;
	context?: Record<string, unknown>;
	messages?: string[];
}

/** An execution with the output of its nodes. */
export interface Execution {
	id: string;
	workflowId: string;
	status: 'new' | 'running' | 'waiting' | 'success' | 'error' | 'canceled' | 'crashed';
	mode: string;
	startedAt: string;
	stoppedAt: string | null;
	data: {
		resultData: {
			error?: NodeError;
			lastNodeExecuted?: string;
			runData: Record<string, NodeRun[]>;
		};
	};
}

/** One run of one node. */
export interface NodeRun {
	/** Milliseconds. */
	executionTime?: number;
	/** Notices for the user, beside the output. */
	hints?: Array<{ message: string; location?: string }>;
	data?: { main?: Array<Item[] | null> };
	error?: NodeError;
}

/** The items that a node put out in its last run. With an error output, that is output 1. */
export function outputItems(execution: Execution, nodeName: string, output = 0): Item[] {
	return lastRun(execution, nodeName)?.data?.main?.[output] ?? [];
}

/** The error that a node failed with, if it did. */
export function nodeError(execution: Execution, nodeName: string): NodeError | undefined {
	return lastRun(execution, nodeName)?.error;
}

function lastRun(execution: Execution, nodeName: string): NodeRun | undefined {
	return execution.data.resultData.runData[nodeName]?.at(-1);
}

/** The same as {@link outputItems}, for a node that must not have failed. */
export function successfulItems(execution: Execution, nodeName: string): Item[] {
	const error = nodeError(execution, nodeName) ?? execution.data.resultData.error;
	if (error) {
		const texts = [error.message, error.description].filter(Boolean);
		throw new Error(`${nodeName}: ${texts.join(' - ')}`);
	}

	return outputItems(execution, nodeName);
}
