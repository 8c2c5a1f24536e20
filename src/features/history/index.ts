export { type GitAttempt, isSettled, openFiles, stepWords } from './git-attempt.ts';
export type { SettledPulls } from './settled-pull.ts';
