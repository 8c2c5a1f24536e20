export { fileEdits } from './edit-files.ts';
export { openSync } from './open-sync.ts';
