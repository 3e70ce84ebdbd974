import { join } from 'node:path';

/** What an n8n is started with, so that it has the tests' own node for sub-workflows. */
export const SUB_WORKFLOWS = { N8N_CUSTOM_EXTENSIONS: join(__dirname, 'nodes') };

/** The type of that node: it runs the sub-workflow in the body of a webhook's call. */
export const SUB_WORKFLOW_NODE = 'CUSTOM.runSubWorkflow';
