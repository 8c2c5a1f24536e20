export type { ShowJoinGraph } from './opened-language.ts';
export { type UsedBy, workspaceUsage } from './usage.ts';
