import { describe, expect, it } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver';
import { completion } from '#language-server/ide/completion.ts';
import type { Code } from '#model/codes.ts';
import { fixture } from './fixture.ts';
import { problemsOf } from '../model/problems.ts';
import { modelWith, type Slots } from '../model/slots.ts';

function sorted(text: string): {
  readonly items: readonly CompletionItem[];
  readonly offset: number;
  readonly text: string;
} {
  const { opened, offset } = fixture(text);
  const items = completion(opened, offset).items.toSorted((a, b) =>
    (a.sortText ?? a.label).localeCompare(b.sortText ?? b.label),
  );
  return { items, offset, text: opened.file.text };
}

const first = (text: string, count = 4): readonly string[] =>
  sorted(text)
    .items.slice(0, count)
    .map(({ label }) => label);

/** Several lines of a slot, as `modelWith` puts them. */
const lines = (indent: number, ...all: readonly string[]): string => all.join(`\n${' '.repeat(indent)}`);

/** Place → what stands at the top of the list there. */
const PLACES: Readonly<Record<string, readonly [Slots, readonly string[]]>> = {
  'type of a new dimension': [{ dimension: lines(8, '- name: x', '$0') }, ['type', 'sql']],
  'dimension without its type': [{ dimension: lines(8, '- name: x', 'sql: x', '$0') }, ['type', 'primary_key']],
  'measure needs SQL when its type does': [{ measure: lines(8, '- name: x', 'type: sum', '$0') }, ['sql', 'filters']],
  'count needs nothing': [{ measure: lines(8, '- name: x', 'type: count', '$0') }, ['sql', 'filters']],
  'relationship of a join': [{ join: lines(8, '- name: users', 'relationship: $0') }, ['many_to_one', 'one_to_many']],
  'keys of a join': [{ join: lines(8, '- name: users', '$0') }, ['relationship', 'sql']],
  'cube to join to': [{ join: '- {name: $0' }, ['users']],
  'type of a measure': [{ measure: lines(8, '- name: x', 'type: $0') }, ['count', 'count_distinct']],
  'half a word of a type': [{ measure: lines(8, '- name: x', 'type: cou$0') }, ['count', 'count_distinct']],
  'true or false': [{ dimension: lines(8, '- name: x', 'primary_key: $0') }, ['false', 'true']],
  'braces of SQL': [{ measure: '- {name: x, type: number, sql: "{$0}"}' }, ['CUBE']],
  'behind CUBE in SQL': [{ measure: '- {name: x, type: number, sql: "{CUBE.$0}"}' }, ['count', 'created_at']],
  'behind a joined cube in SQL': [
    { measure: '- {name: x, type: number, sql: "{users.$0}"}' },
    ['city', 'id', 'ucount'],
  ],
  'behind a time dimension in SQL': [{ dimension: '- {name: x, type: string, sql: "{created_at.$0}"}' }, ['second']],
  'members of a drill': [{ measure: '- {name: x, type: count, drill_members: [$0]}' }, ['count', 'created_at', 'id']],
  'levels are dimensions': [{ hierarchy: '- {name: x, levels: [$0]}' }, ['created_at', 'id', 'status']],
  'measures of a pre-aggregation': [{ preAggregation: '- {name: x, measures: [$0]}' }, ['count', 'total']],
  'time dimension of one': [{ preAggregation: '- {name: x, measures: [count], time_dimension: $0}' }, ['created_at']],
  'granularity of one': [{ preAggregation: '- {name: x, granularity: $0}' }, ['second', 'minute', 'hour', 'day']],
  'kind of one': [{ preAggregation: lines(8, '- name: x', 'type: $0') }, ['rollup', 'original_sql']],
  'keys of a time dimension need each other': [
    { preAggregation: lines(8, '- name: x', 'time_dimension: created_at', '$0') },
    ['granularity'],
  ],
  'members that a policy shows': [{ policy: '- {group: g, member_level: {includes: [$0]}}' }, ['count', 'created_at']],
  'member of a row filter': [{ policy: '- {group: g, row_level: {filters: [{member: $0}]}}' }, ['count', 'created_at']],
  'operator of a row filter': [
    { policy: '- {group: g, row_level: {filters: [{operator: $0}]}}' },
    ['equals', 'notEquals'],
  ],
  'rest of a row filter': [
    { policy: '- {group: g, row_level: {filters: [{member: id, $0}]}}' },
    ['operator', 'values'],
  ],
  'join path of a view': [{ viewCube: '- {join_path: $0' }, ['orders', 'users']],
  'on a join path': [{ viewCube: '- {join_path: orders.$0' }, ['users']],
  'members that a view includes': [
    { viewCube: '- {join_path: orders.users, includes: [$0]}' },
    ['city', 'id', 'ucount'],
  ],
  'members that it does not': [
    { viewCube: '- {join_path: orders.users, includes: "*", excludes: [$0]}' },
    ['city', 'id'],
  ],
  'keys of an entry of a view': [
    { viewCube: lines(8, '- join_path: users', '$0') },
    ['includes', 'excludes', 'prefix'],
  ],
  'cubes to extend': [{ users: lines(4, 'sql_table: users', 'extends: $0') }, ['orders']],
  'below a broken line': [{ measure: lines(8, '- name: "x', 'ty$0') }, ['type']],
  'format of an included member': [
    { viewCube: '- {join_path: users, includes: [{name: city, format: $0}]}' },
    ['percent', 'currency', 'number', 'link'],
  ],
};

describe('what is offered first', () => {
  it.each(Object.entries(PLACES))('%s', (_, [slots, expected]) => {
    expect(first(modelWith(slots), expected.length)).toEqual(expected);
  });
});

/** Maps that are begun, in which any key may come next. */
const BEGUN: readonly Slots[] = [
  { cube: '$0' },
  { dimension: lines(8, '- name: x', 'type: string', 'sql: x', '$0') },
  { dimension: lines(8, '- name: x', 'type: time', 'sql: x', '$0') },
  { dimension: lines(8, '- name: x', 'type: number', 'sql: x', '$0') },
  { dimension: lines(8, '- name: x', 'type: geo', 'latitude: {sql: a}', 'longitude: {sql: b}', '$0') },
  { dimension: lines(8, '- name: x', 'type: string', 'case: {when: []}', '$0') },
  { dimension: '- {name: x, type: time, sql: x, granularities: [{name: g, interval: 1 week, $0}]}' },
  { dimension: '- {name: x, type: time, sql: x, granularities: [{name: month, sql: b, $0}]}' },
  { measure: lines(8, '- name: x', 'type: sum', 'sql: x', '$0') },
  { measure: lines(8, '- name: x', 'type: string', 'sql: x', '$0') },
  { measure: lines(8, '- name: x', 'type: sum', 'sql: "{total}"', 'multi_stage: true', '$0') },
  { measure: '- {name: x, type: sum, sql: x, rolling_window: {trailing: 1 month, $0}}' },
  { segment: lines(8, '- name: x', 'sql: x', '$0') },
  { preAggregation: lines(8, '- name: x', 'measures: [count]', '$0') },
  {
    preAggregation: lines(8, '- name: x', 'measures: [count]', 'time_dimension: created_at', 'granularity: day', '$0'),
  },
  { preAggregation: lines(8, '- name: x', 'type: original_sql', '$0') },
  { preAggregation: lines(8, '- name: x', 'type: rollup_join', 'rollups: [main]', '$0') },
  { preAggregation: lines(8, '- name: x', 'type: rollup_lambda', 'rollups: [main]', '$0') },
  { preAggregation: '- {name: x, measures: [count], refresh_key: {every: 1 hour, $0}}' },
  { preAggregation: '- {name: x, measures: [count], refresh_key: {sql: select 1, $0}}' },
  { cube: 'refresh_key: {every: 1 hour, $0}' },
  { policy: lines(8, '- group: g', '$0') },
  { viewCube: lines(8, '- join_path: users', 'includes: [city]', 'prefix: true', '$0') },
  { view: '$0' },
  { after: 'view_groups:\n  - name: g\n    $0\n' },
];
/** Nothing more goes with them. */
const COMPLETE: readonly Slots[] = [
  { measure: '- {name: x, type: sum, sql: x, rolling_window: {type: to_date, granularity: day, $0}}' },
  { cube: 'refresh_key: {immutable: true, $0}' },
  { policy: '- {group: g, row_level: {allow_all: true, $0}}' },
  { policy: '- {group: g, row_level: {filters: [{and: [], $0}]}}' },
  { dimension: lines(8, '- name: x', 'type: switch', 'values: [a]', '$0') },
];
const KEY_CODES: ReadonlySet<Code> = new Set<Code>(['unknown-key', 'misplaced-key', 'exclusive-keys', 'duplicate-key']);

describe('keys that are offered', () => {
  it.each(BEGUN.map((slots) => [Object.values(slots).join(), slots] as const))(
    'go with what is there: %s',
    (_, slots) => {
      const { items, text, offset } = sorted(modelWith(slots));
      // Not whole definitions.
      const keys = items.filter(({ textEdit }) => textEdit && !textEdit.newText.includes('$'));
      expect(keys).not.toEqual([]);
      for (const { label } of keys) {
        const written = `${text.slice(0, offset)}${label}: x${text.slice(offset)}`;
        const wrong = problemsOf({ 'm.yml': written }).filter(
          (problem) => KEY_CODES.has(problem.code) && problem.text.replace(/:.*/s, '') === label,
        );
        expect({ label, wrong }).toEqual({ label, wrong: [] });
      }
    },
  );

  it.each(COMPLETE.map((slots) => [Object.values(slots).join(), slots] as const))('are none: %s', (_, slots) => {
    expect(first(modelWith(slots))).toEqual([]);
  });
});

describe('what is put into the text', () => {
  it.each(Object.entries(PLACES))('replaces the word that is there: %s', (_, [slots]) => {
    const { items, offset, text } = sorted(modelWith(slots));
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    for (const { textEdit } of items) {
      if (!textEdit || !('range' in textEdit)) continue;
      const { start, end } = textEdit.range;
      expect(end.character).toBe(offset - lineStart);
      expect(text.slice(lineStart + start.character, offset)).toMatch(/^\w*$/);
    }
  });

  it.each(['cube', 'dimension', 'measure', 'join', 'view'] as const)('every key of a %s says what it means', (slot) => {
    const begun: Slots =
      slot === 'cube' || slot === 'view' ? { [slot]: '$0' } : { [slot]: lines(8, '- name: x', '$0') };
    for (const { label, documentation, detail } of sorted(modelWith(begun)).items) {
      if (detail === undefined) continue;
      expect([label, documentation]).not.toEqual([label, undefined]);
    }
  });
});
