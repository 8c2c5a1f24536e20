export { loadBranches } from './branches-view.ts';
