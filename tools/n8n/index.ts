export * from './databaseFaults';
export { EventLoop } from './eventLoop';
export type { StoredExecution } from './database';
export * from './execution';
export { installHost } from './install';
export { N8n, type StoredWorkflow } from './n8n';
export { packPackage } from './pack';
export type { StartOptions } from './process';
export * from './workflow';
