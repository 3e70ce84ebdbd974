export * from './databaseFaults';
export type { StoredExecution } from './database';
export * from './execution';
export { type Host, NEWEST_HOST, OLDEST_HOST } from './hosts';
export { installHost } from './install';
export { N8n, type StoredWorkflow } from './n8n';
export { packPackage } from './pack';
export type { StartOptions } from './process';
export * from './workflow';
