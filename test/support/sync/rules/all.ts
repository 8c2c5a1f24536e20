import { deployRules } from './deploys.ts';
import { downloadRules } from './downloads.ts';
import { effectRules } from './effects.ts';
import { folderRules } from './folders.ts';
import { guardRules } from './guards.ts';
import { keepingRules } from './keeping.ts';
import { planRules } from './plans.ts';
import { recordRules } from './records.ts';
import type { Rule } from './rule.ts';
import { routeRules } from './routes.ts';
import { saveRules } from './saves.ts';
import { stateRules } from './states.ts';
import { tableRules } from './table.ts';

/** Every rule of `docs/sync.md`, in the order of the page. */
export const rules: readonly Rule[] = [
  ...tableRules,
  ...guardRules,
  ...planRules,
  ...saveRules,
  ...stateRules,
  ...effectRules,
  ...routeRules,
  ...downloadRules,
  ...recordRules,
  ...keepingRules,
  ...deployRules,
  ...folderRules,
];
