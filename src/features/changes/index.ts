export { type ChangeCounts, countsMark } from './change-counts.ts';
