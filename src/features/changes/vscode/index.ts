export type { ChangeCountDeps } from './deps.ts';
