import { describe, expect, it } from 'vitest';
import { describePlanNode, pathsOfGroup, planSelection, planSummary, planTree } from '#features/folders/plan-tree.ts';
import type { Plan } from '#sync/core/plan.ts';
import { plan, prune, upload } from '#support/plan.ts';
import { drawn } from '#support/drawn-tree.ts';

describe('plan tree', () => {
  it('puts conflicts and deletions first and ticks what the direction carries out', () => {
    const ticked = planSelection(plan, 'push');
    expect([...ticked].sort()).toEqual(['model/cubes/old.yml', 'model/cubes/orders.yml']);
    expect(drawn(planTree({ folderId: 'f', direction: 'push', plan, ticked }), describePlanNode)).toEqual([
      'Many files would be deleted. [plan.guard]',
      'Conflicts (resolve first) (1) [plan.group.conflict]',
      '  users.yml (changed on both sides · model/cubes) [plan.file.conflict]',
      'Delete on the Platform (1) [plan.group.delete]',
      '  old.yml (deleted · model/cubes) [plan.file.deleteRemote]',
      'Upload (1 · 2.0 KB) [plan.group.upload]',
      '  orders.yml (modified · 2.0 KB · model/cubes) [plan.file.upload]',
    ]);
    expect(planSummary(plan, 'push', ticked)).toBe('1 file, 1 deletion, 2.0 KB');
  });

  it('shows nothing of the other direction', () => {
    const lines = drawn(planTree({ folderId: 'f', direction: 'pull', plan, ticked: new Set() }), describePlanNode);
    expect(lines.join()).not.toContain('orders.yml');
    expect(lines.join()).not.toContain('Many files');
  });
});

describe('large plans', () => {
  const many = (kind: 'upload' | 'delete'): Plan => ({
    ...plan,
    guards: [],
    entries: Array.from({ length: 2500 }, (_, index) =>
      kind === 'upload' ? { ...upload, path: `m/${index}` } : { ...prune, path: `m/${index}` },
    ),
  });

  it('draws every deletion, and counts what it does not draw of the rest', () => {
    const rows = (of: Plan): number =>
      planTree({ folderId: 'f', direction: 'push', plan: of, ticked: new Set() })[0]?.children?.length ?? 0;
    expect(rows(many('delete'))).toBe(2500);
    expect(rows(many('upload'))).toBe(2001);
  });

  it('lets a group’s tick stand for all of it', () => {
    expect(pathsOfGroup(many('upload'), 'push', 'upload')).toHaveLength(2500);
    expect(pathsOfGroup(many('upload'), 'push', 'delete')).toHaveLength(0);
  });
});
