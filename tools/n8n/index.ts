export * from './execution';
export { installHost } from './host';
export { N8n, type StoredExecution, type StoredWorkflow } from './n8n';
export { packPackage } from './pack';
export type { StartOptions } from './process';
export * from './workflow';
