export { applyReviewed, type EditReviewDeps, moveReviewed } from './reviewed-edit.ts';
export { applyReviewedText } from './reviewed-text.ts';
