// The entry of a bundle: the code that shows reviews is loaded with the first review.
export { planSource } from '#features/folders/vscode/plan-source.ts';
export { ReviewPanels } from '#features/review/vscode/review-panels.ts';
