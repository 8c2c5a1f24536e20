export { isOnPage } from './at-gate.ts';
export type { CommitInput } from './commit-input.ts';
export { type GitAttempt, isResolved, openFiles, stepText } from './git-attempt.ts';
export type { ResolvedPulls } from './resolved-pull.ts';
export type { StoppedStepDeps } from './step-ports.ts';
export { attemptOf, gitConflictsOf } from './stopped-steps.ts';
export { gitConflictAt } from './resolve-git-conflict.ts';
export { changedWarning, confirmationFields, reviewRowOf } from './step-review.ts';
