export { begunMerges } from './begun-merges.ts';
export { fileEdits } from './edit-files.ts';
export { openSync } from './open-sync.ts';
