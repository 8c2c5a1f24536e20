import { describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import { cutsOf } from '#support/language/cut-words.ts';
import { json } from '#support/language/raw.ts';
import { memberAt, memberProblems, membersAt, membersOf, namesMembers } from '#features/dashboards/members.ts';

const cube = {
  name: 'orders',
  measures: [
    { name: 'orders.count', title: 'Orders Count', aggType: 'count', type: 'number' },
    { name: 'orders.secret', isVisible: false },
  ],
  dimensions: [
    { name: 'orders.status', type: 'string', description: 'Paid or not' },
    { name: 'orders.created_at', type: 'time', granularities: [{ name: 'fiscal_year' }] },
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
    const none = { description: '', type: '', granularities: [] };
    expect(members).toEqual([
      { ...none, name: 'orders.count', kind: 'measure', title: 'Orders Count', type: 'count' },
      {
        ...{ ...none, name: 'orders.status', kind: 'dimension', title: 'orders.status' },
        ...{ description: 'Paid or not', type: 'string' },
      },
      {
        ...{ ...none, name: 'orders.created_at', kind: 'time', title: 'orders.created_at' },
        ...{ type: 'time', granularities: ['fiscal_year'] },
      },
      { ...none, name: 'orders.paid', kind: 'segment', title: 'orders.paid' },
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

  it('are time dimensions with a granularity behind their dot, where that can be written', () => {
    const standard = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
    const columns = [...standard, 'fiscal_year'].map((name) => `orders.created_at.${name}`);
    expect(offered('{"query": {"dimensions": ["orders.created_at.|"]}}')).toEqual(columns);
    expect(offered('{"query": {"order": {"orders.created_at.mo|": "asc"}}}')).toEqual(columns);
    expect(offered('{"query": {"timeDimensions": [{"dimension": "orders.created_at.|"}]}}')).toEqual([
      'orders.created_at',
    ]);
  });
});

/** A dashboard with queries in the forms that a widget can have them; words between `‹` and `›` are cut back. */
const DASHBOARD = json`
  {
    "widgets": [
      {
        "config": {
          "query": {
            "measures": ["‹orders.count›"],
            "dimensions": [
              "‹orders.status›",
              "‹orders.created_at›"
            ],
            "segments": ["‹orders.paid›"],
            "timeDimensions": [{"dimension": "‹orders.created_at›", "granularity": "day"}],
            "filters": [{"member": "‹orders.status›"}, {"or": [{"operator": "set", "member": "‹orders.count›"}]}],
            "order": {"‹orders.count›": "desc"}
          }
        }
      },
      {"config": {"queries": [{"measures": ["‹orders.count›"], "order": [["‹orders.status›", "asc"]]}]}},
      {"config": {"dimensions": ["‹orders.status›"]}},
      {"config": {"member": "‹orders.status›", "label": "x"}}
    ]
  }
`;

describe('a name that is cut back', () => {
  /** Returns the texts that the completions at `$0` give. */
  const completed = (marked: string): readonly string[] => {
    const text = marked.replace('$0', '');
    const found = membersAt(text, marked.indexOf('$0'), members);
    const { range = { start: 0, end: 0 }, missing = { before: '', after: '' } } = found ?? {};
    return (found?.members ?? []).map(
      ({ name }) => `${text.slice(0, range.start)}${missing.before}${name}${missing.after}${text.slice(range.end)}`,
    );
  };

  it.each([
    ['several lines', DASHBOARD],
    ['Windows line breaks', DASHBOARD.replaceAll('\n', '\r\n')],
    ['one line', DASHBOARD.replaceAll(/\n */g, ' ')],
  ])('is restored by a completion, in a text with %s', (_, marked) => {
    const missed = [...cutsOf(marked)].filter(({ text, sound }) => !completed(text).includes(sound));
    expect(missed.map(({ what, word }) => `${what} ← ${word}`)).toEqual([]);
  });

  it.each([
    ['several lines', DASHBOARD],
    ['Windows line breaks', DASHBOARD.replaceAll('\n', '\r\n')],
    ['one line', DASHBOARD.replaceAll(/\n */g, ' ')],
  ])('is restored with the quote that closes it, in a text with %s', (_, marked) => {
    const missed = [...cutsOf(marked)].filter(
      ({ text, sound }) => !completed(text.replace(/(\$0)"/, '$1')).includes(sound),
    );
    expect(missed.map(({ what, word }) => `${what} ← ${word}`)).toEqual([]);
  });

  it.each([
    ['{"widgets": [{"config": {"measures": [$0]}}]}', '{"widgets": [{"config": {"measures": ["orders.count"]}}]}'],
    [
      '{"widgets": [{"config": {"measures": ["ord$0ers.co", 1]}}]}',
      '{"widgets": [{"config": {"measures": ["orders.count", 1]}}]}',
    ],
    [
      '{"widgets": [{"config": {"measures": ["two$0 words"]}}]}',
      '{"widgets": [{"config": {"measures": ["orders.count"]}}]}',
    ],
    ['{"widgets": [{"config": {"measures": ["or$0', '{"widgets": [{"config": {"measures": ["orders.count"'],
  ])('is replaced whole, with its quotes: %s', (marked, expected) => {
    expect(completed(marked)).toEqual([expected]);
  });
});

describe('the member at an offset', () => {
  /** The name and the member under `|`. */
  const under = (config: string): string | undefined => {
    const marked = `{"widgets": [{"config": ${config}}]}`;
    const text = marked.replace('|', '');
    const found = memberAt(text, marked.indexOf('|'), members);
    return found && `${text.slice(found.range.start, found.range.end)} ← ${found.member.title}`;
  };

  it('is the one whose name is written there', () => {
    expect(under('{"measures": ["orders.c|ount"]}')).toBe('orders.count ← Orders Count');
    expect(under('{"dimensions": ["orders.created_at.mo|nth"]}')).toBe('orders.created_at.month ← orders.created_at');
    expect(under('{"order": {"orders.stat|us": "asc"}}')).toBe('orders.status ← orders.status');
  });

  it('is none in other texts and for other names', () => {
    expect(under('{"title": "orders.c|ount"}')).toBeUndefined();
    expect(under('{"measures": ["orders.gone|"]}')).toBeUndefined();
    expect(under('{"meas|ures": ["orders.count"]}')).toBeUndefined();
    expect(under('{"measures": [|]}')).toBeUndefined();
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
