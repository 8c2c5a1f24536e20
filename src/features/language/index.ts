export type { ShowJoinGraph } from './opened-language.ts';
export { renderModel } from './render-model.ts';
export { type UsedBy, workspaceUsage } from './usage.ts';
