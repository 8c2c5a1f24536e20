import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data-operations.ts';
import { memberProblems, membersAt, membersOf, namesMembers } from '#features/dashboards/members.ts';

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

describe('names in the config of a widget', () => {
  /** What is marked, and what is said about it. */
  function marked(config: object, known = members): readonly string[] {
    const text = JSON.stringify({ widgets: [{ id: 'a', config }] });
    return memberProblems(text, known).map(({ range, message }) => `${text.slice(range.start, range.end)}: ${message}`);
  }

  it('are marked where the model has no such member, with the one that was meant', () => {
    expect(marked({ query: { measures: ['orders.cuont', 'revenue'], dimensions: ['users.name'] } })).toEqual([
      'orders.cuont: The data model has no measure “orders.cuont”: did you mean “orders.count”?',
      'revenue: The data model has no measure “revenue”',
      'users.name: The data model has no dimension or time dimension “users.name”',
    ]);
    expect(marked({ query: { filters: [{ member: 'orders.stauts', operator: 'equals', values: ['a.b'] }] } })).toEqual([
      'orders.stauts: The data model has no measure or dimension or time dimension “orders.stauts”: did you mean “orders.status”?',
    ]);
    expect(marked({ query: { order: { 'orders.gone': 'asc' } } })).toHaveLength(1);
    expect(marked({ query: { measures: ['orders.secret'], segments: ['orders.hidden'] } })).toHaveLength(2);
  });

  it('are marked where they are of another kind', () => {
    expect(marked({ query: { measures: ['orders.status'] } })).toEqual([
      'orders.status: “orders.status” is a dimension; expected is a measure',
    ]);
    expect(marked({ query: { timeDimensions: [{ dimension: 'orders.status' }] } })).toHaveLength(1);
  });

  it('are left alone where they are right, or about something else', () => {
    const query = {
      measures: ['orders.count'],
      dimensions: ['orders.status', 'orders.created_at.month', ''],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month', dateRange: ['2026-01-01', 'x.y'] }],
      segments: ['orders.paid'],
      order: [['orders.count', 'asc']],
      limit: 3,
    };
    expect(marked({ query, dimension: 'width', text: 'orders.gone', orders: { gone: 'orders.gone' } })).toEqual([]);
    expect(
      memberProblems(JSON.stringify({ title: 'a.b', widgets: [{ style: { measures: ['a.b'] } }] }), members),
    ).toEqual([]);
  });

  it('are searched for first: a dashboard without any needs no model', () => {
    expect(namesMembers('{"widgets": [{"config": {"query": {"measures": ["')).toBe(false);
    expect(namesMembers('{"widgets": [{"config": {"query": {"measures": ["a.b"]')).toBe(true);
    expect(namesMembers('{"title": "a.b", "widgets": [{"config": {"text": "a.b"}}]}')).toBe(false);
  });

  it('are not judged where nothing is known of the model', () => {
    expect(marked({ query: { measures: ['orders.cuont'] } }, [])).toEqual([]);
  });

  it('are judged in a text that is cut off anywhere', () => {
    const text = JSON.stringify({ widgets: [{ config: { measures: ['orders.cuont'], title: 'x' } }] });
    for (let end = 0; end <= text.length; end += 1) {
      const found = memberProblems(text.slice(0, end), members);
      expect(found).toHaveLength(text.slice(0, end).includes('orders.cuont"') ? 1 : 0);
    }
  });
});
