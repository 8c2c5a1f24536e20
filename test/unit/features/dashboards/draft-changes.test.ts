import { describe, expect, it } from 'vitest';
import { draftChanges } from '#features/dashboards/draft-changes.ts';

const position = { x: 0, y: 0, w: 4, h: 2 };
const widget = (id: string, more: object = {}) => ({ id, type: 'TEXT', position, ...more });
const before = { title: 'Weekly', theme: null, widgets: [widget('a'), widget('b'), widget('c')] };

describe('what a draft changes for those who see the dashboard', () => {
  it('is named by field, and by widget', () => {
    const after = {
      title: 'Weekly',
      description: 'New',
      widgets: [widget('a', { position: { ...position, x: 4 }, style: {} }), widget('c'), widget('d')],
    };
    expect(draftChanges(before, after)).toEqual([
      'description',
      'widget “a” (position, style)',
      'widget “d” added',
      'widget “b” removed',
    ]);
  });

  it('is nothing where both say the same', () => {
    expect(draftChanges(before, { title: 'Weekly', widgets: [...before.widgets] })).toEqual([]);
    expect(draftChanges(undefined, {})).toEqual([]);
  });

  it('may be the order alone', () => {
    expect(draftChanges(before, { ...before, widgets: before.widgets.toReversed() })).toEqual([
      'the order of the widgets',
    ]);
  });
});
