import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data-operations.ts';
import { membersAt, membersOf } from '#features/dashboards/members.ts';

const cube = {
  name: 'orders',
  measures: [
    { name: 'orders.count', title: 'Orders Count', aggType: 'count', type: 'number' },
    { name: 'orders.secret', isVisible: false },
  ],
  dimensions: [
    { name: 'orders.status', type: 'string', description: 'Paid or not' },
    { name: 'orders.created_at', type: 'time' },
    { name: 'orders.hidden', public: false },
  ],
  segments: [{ name: 'orders.paid' }],
} as unknown as MetaCube;
const members = membersOf([cube]);

/** What is offered at `|` in the config of a widget. */
function offered(config: string): readonly string[] | undefined {
  const marked = `{"widgets": [{"id": "a", "config": ${config}`;
  return membersAt(marked.replace('|', ''), marked.indexOf('|'), members)?.members.map(({ name }) => name);
}

describe('members', () => {
  it('are those that queries may name', () => {
    expect(members).toEqual([
      { name: 'orders.count', kind: 'measure', title: 'Orders Count', description: '', type: 'count' },
      { name: 'orders.status', kind: 'dimension', title: 'orders.status', description: 'Paid or not', type: 'string' },
      { name: 'orders.created_at', kind: 'time', title: 'orders.created_at', description: '', type: 'time' },
      { name: 'orders.paid', kind: 'segment', title: 'orders.paid', description: '', type: '' },
    ]);
  });

  it('are offered by what the field takes', () => {
    const times = ['orders.created_at'];
    const dimensions = ['orders.status', ...times];
    expect(offered('{"query": {"measures": ["or|')).toEqual(['orders.count']);
    expect(offered('{"query": {"dimensions": ["|"]}}')).toEqual(dimensions);
    expect(offered('{"query": {"timeDimensions": [{"dimension": "|"}]}}')).toEqual(times);
    expect(offered('{"query": {"segments": ["|"]}}')).toEqual(['orders.paid']);
    expect(offered('{"member": "|"}')).toEqual(['orders.count', ...dimensions]);
    expect(offered('{"query": {"filters": [{"member": "|')).toEqual(['orders.count', ...dimensions]);
    expect(offered('{"query": {"order": {"|": "asc"}}}')).toEqual(['orders.count', ...dimensions]);
    expect(offered('{"anything": "orders.|"}')).toHaveLength(4);
  });

  it('are not offered where no member belongs', () => {
    expect(offered('{"title": "|"}')).toBeUndefined();
    expect(offered('{"|": 1}')).toBeUndefined();
    expect(offered('{"query": {"timeDimensions": [{"granularity": "|"}]}}')).toBeUndefined();
    expect(offered('{"query": {"order": {"orders.count": "|"}}}')).toBeUndefined();
    expect(membersAt('{"title": "orders.', 18, members)).toBeUndefined();
    expect(membersAt('{"widgets": [{"style": {"measures": ["', 38, members)).toBeUndefined();
  });

  it('replace what stands between the quotes', () => {
    const text = '{"widgets": [{"config": {"measures": ["orders.co", 1]}}]}';
    const start = text.indexOf('orders');
    expect(membersAt(text, start + 3, members)).toMatchObject({ range: { start, end: start + 9 }, isQuoted: true });
    const unquoted = '{"widgets": [{"config": {"measures": [ ]}}]}';
    const offset = unquoted.indexOf(' ]}');
    expect(membersAt(unquoted, offset, members)).toMatchObject({
      range: { start: offset, end: offset },
      isQuoted: false,
    });
  });
});
