import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import { resolve } from '../resolve.ts';
import type { EntitySymbol } from '../symbols.ts';

/** Reports measures and dimensions of one cube that refer to each other in a cycle. */
export function checkCycles(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const edges = new Map<string, { readonly to: string; readonly start: number; readonly end: number }[]>();
  for (const reference of entity.references) {
    if (reference.form !== 'sql' || reference.key !== 'sql' || !reference.memberName || reference.shape === 'join')
      continue;
    const { referents } = resolve(reference, entity, index);
    const last = referents.at(-1);
    // `{member.sql}` is the text of a function, and code that may never run closes no circle.
    if (reference.late || referents.length < reference.segments.length) continue;
    if (last?.is !== 'member' || last.entity !== entity) continue;
    const from = edges.get(reference.memberName.value) ?? [];
    from.push({ to: last.member.name, start: reference.start, end: reference.end });
    edges.set(reference.memberName.value, from);
  }
  const problems: Problem[] = [];
  const done = new Set<string>();
  for (const name of edges.keys()) {
    const cycle = findCycle(name, edges, done, []);
    if (cycle)
      problems.push({
        code: 'circular-reference',
        start: cycle.start,
        end: cycle.end,
        message: `This reference is circular: ${cycle.names.join(' → ')}. Queries of these members fail.`,
      });
  }
  return problems;
}

interface Cycle {
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
}

function findCycle(
  name: string,
  edges: ReadonlyMap<string, readonly { readonly to: string; readonly start: number; readonly end: number }[]>,
  done: Set<string>,
  path: readonly string[],
): Cycle | undefined {
  if (done.has(name)) return undefined;
  for (const { to, start, end } of edges.get(name) ?? []) {
    const from = [...path, name].indexOf(to);
    if (from !== -1) return { names: [...[...path, name].slice(from), to], start, end };
    const found = findCycle(to, edges, done, [...path, name]);
    if (found) return found;
  }
  done.add(name);
  return undefined;
}
