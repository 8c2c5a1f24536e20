// The entry of a bundle: what shows reviews is loaded with the first of them.
export { planSource } from '#features/folders/vscode/plan-source.ts';
export { ReviewPanels } from '#features/review/vscode/review-panels.ts';
