export { attemptKey, lentKey } from './begun-keys.ts';
export type { BegunMerge, BegunMerges } from './begun-merges.ts';
export {
  compareTexts,
  compareTrees,
  differenceCounts,
  fileDifferenceText,
  type FileDifference,
  textsOf,
} from './branch-compare.ts';
export type { BranchFiles, BranchTree, FileVersion, SeenVersion } from './branch-files.ts';
export { changeText } from './change-text.ts';
export { type FilePages, fileReview } from './file-review.ts';
export type { FolderFiles } from './folder-files.ts';
export { whileHeld } from './hold.ts';
export { isListed, listedFiles, listedModels } from './listed-models.ts';
export { refreshAfterChanges } from './outside-changes.ts';
export { describePlanNode, type PlanNode, planRows } from './plan-review.ts';
export { isNothing, type OpenPlan, type PlanForm, type PlanView, type WorkPlan } from './plan-view.ts';
export { pushQuestion } from './push-question.ts';
export type { SaveChoices } from './save-choice.ts';
export type { SyncPauses } from './sync-pause.ts';
export { branchOnly, type OpenSync, type SyncSession, type SyncSessions } from './sync-sessions.ts';
export { syncText, waitingLines } from './sync-text.ts';
export { runTransfer, comparePlan, type ComparisonPorts } from './transfer.ts';
export { withTrash } from './trash.ts';
export type { UploadConsent } from './upload-consent.ts';
