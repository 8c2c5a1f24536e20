export type { DataDeps } from './deps.ts';
