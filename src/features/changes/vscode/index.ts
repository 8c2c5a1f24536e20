export { countsOn } from './changes-view.ts';
export type { ChangeCountDeps } from './deps.ts';
