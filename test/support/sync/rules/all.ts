import { guardRules } from './guards.ts';
import type { Rule } from './rule.ts';
import { tableRules } from './table.ts';

/** Every rule of `docs/sync.md`, in the order of the page. */
export const rules: readonly Rule[] = [...tableRules, ...guardRules];
