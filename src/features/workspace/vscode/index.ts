export type { SearchDeps } from './deps.ts';
export { chosenItems } from './choose-items.ts';
