export { activeFile, missingSession, sessionOrPick } from './choose-session.ts';
export type {
  BranchTrashDeps,
  FolderPicker,
  FolderTrashDeps,
  LinkAddressDeps,
  RestoreDeps,
  TransferDeps,
  UploadDeps,
} from './deps.ts';
export { openFolderFiles } from './folder-files.ts';
export { modelsBelow, MOST_FILES, SKIPPED } from './models-below.ts';
export { fileTargetOf, fileUri, linkedFileAt } from './folder-uris.ts';
export { watchOutside } from './folder-watcher.ts';
export { linkTo } from './link-to.ts';
export type { RemoteDocuments, SyncReport } from './remote-documents.ts';
export type { RemoteFileSystem } from './remote-file-system.ts';
export { applyPlan, planTransfer, showOutcome } from './transfer.ts';
export { offerRestore, restoreFromBranchTrash, restoreFromTrash } from './trash.ts';
export { mayUpload } from './upload-consent.ts';
