export { begunMerges } from './begun-merges.ts';
export { fileEdits } from './edit-files.ts';
export { folderTrash } from './folder-trash.ts';
export { openSync } from './open-sync.ts';
