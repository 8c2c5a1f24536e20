import type { Found } from '#model/checks/check.ts';
import type { Part } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import type { Opened } from '../workspace.ts';

/**
 * What the engine refused in a file and we did not: where one of our errors stands in the same member (or in the same
 * cube, for what is about no member), it says the same more precisely.
 */
export function engineProblems({ file, root }: Opened, own: readonly Found[]): Found[] {
  return (root.engineProblems ?? []).flatMap(({ part, start, end, message, ofFile }): Found[] => {
    const placement = root.index.placement(part);
    // The part was edited since: what was said of it may no longer hold.
    if (placement?.file !== file) return [];
    const around = ofFile ? { start: -placement.start, end: file.text.length } : itemAround(part, start);
    const from = placement.start + around.start;
    const to = placement.start + around.end;
    if (own.some((found) => found.severity === 'error' && found.start <= to && from <= found.end)) return [];
    const problem = { code: 'engine', start, end, message } as const;
    return [{ problem, severity: 'error', start: placement.start + start, end: placement.start + end }];
  });
}

function itemAround(part: Part, offset: number): { readonly start: number; readonly end: number } {
  for (const entity of symbolsOf(part)) {
    const { node } = entity.entity;
    if (offset < node.start || offset > node.end) continue;
    const members = [...entity.members.values(), ...entity.duplicates];
    const member = members.find(({ start, end }) => start <= offset && offset <= end);
    return member ? { start: member.start, end: member.end } : node;
  }
  return { start: 0, end: part.text.length };
}
