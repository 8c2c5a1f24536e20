export { countsOn } from './count-changes.ts';
export { type ChangeCounts, countsMark } from './change-counts.ts';
