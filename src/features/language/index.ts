export type { ShowJoinGraph } from './opened-language.ts';
export { workspaceUsage } from './usage.ts';
