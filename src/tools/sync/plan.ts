import * as v from 'valibot';
import { syncInput, withPlan } from './dev-branch.ts';
import { planEntries, planLines, shownPlan } from './shown-plan.ts';
import { defineTool } from '#tools/tool.ts';

/** Compares the linked folder with a dev branch (docs/tools.md#plan). */
export const plan = defineTool({
  name: 'plan',
  title: 'Plan Push and Pull',
  description:
    'Compares the linked folder with a dev branch: what “push” would upload, what “pull” would bring, conflicts, and warnings. Changes nothing on either side. Its id lets “push” and “pull” do exactly this.',
  risk: 'read',
  reach: 'platform',
  positional: ['branch'],
  examples: [
    { command: 'modelbench plan', does: 'Compares the folder with the dev branch that the key is in dev mode on.' },
    { command: 'modelbench plan dev-ada-1 --format json', does: 'Gives a script the plan for a branch.' },
  ],
  input: v.object(syncInput),
  output: v.object(planEntries),
  run: async (ports, input, context) =>
    withPlan(ports, input, context, async (opened) => shownPlan(opened, opened.plan)),
  toText: (shown) => planLines(shown).join('\n'),
});
