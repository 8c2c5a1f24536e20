import type { Plan, PlanEntry } from './plan.ts';

/** A plan as text for a person: what a dry run shows, one line for each entry, what holds it up first. */
export function planText(plan: Plan): string {
  const guards = plan.guards.map((guard) => `! ${guard.message}`);
  const entries = plan.entries.map((entry) => line(entry));
  const summary = `${plan.entries.length} to look at, ${plan.unchanged} unchanged`;
  return [...guards, ...entries, summary, ''].join('\n');
}

function line(entry: PlanEntry): string {
  const reason = 'reason' in entry ? ` (${entry.reason})` : '';
  const from = 'from' in entry ? ` from ${entry.from}` : '';
  const size = 'size' in entry && entry.size !== undefined ? ` ${entry.size} B` : '';
  return `${entry.kind} ${entry.path}${from}${reason}${size}`;
}
