import { describe, expect, it } from 'vitest';
import type { CompletionItem } from 'vscode-languageserver';
import type { Code } from '#model/codes.ts';
import { fixture } from '#support/language/model.ts';
import { problemsOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';
import { completionItems, completions } from '#support/language/show.ts';
import { placed, type Slots } from '#support/language/slots.ts';

const inOneLine = (slots: Slots): string => Object.values(slots).join().trim().replaceAll(/\n */g, ', ');

function sorted(text: string): {
  readonly items: readonly CompletionItem[];
  readonly offset: number;
  readonly text: string;
} {
  const { opened, offset } = fixture(text);
  return { items: completionItems(text), offset, text: opened.file.text };
}

/** Maps that are begun, in which any key may come next. */
const BEGUN: readonly Slots[] = [
  { cube: '$0' },
  {
    dimension: yaml`
      - name: x
        type: string
        sql: x
        $0
    `,
  },
  {
    dimension: yaml`
      - name: x
        type: time
        sql: x
        $0
    `,
  },
  {
    dimension: yaml`
      - name: x
        type: number
        sql: x
        $0
    `,
  },
  {
    dimension: yaml`
      - name: x
        type: geo
        latitude: {sql: a}
        longitude: {sql: b}
        $0
    `,
  },
  {
    dimension: yaml`
      - name: x
        type: string
        case: {when: []}
        $0
    `,
  },
  { dimension: '- {name: x, type: time, sql: x, granularities: [{name: g, interval: 1 week, $0}]}' },
  { dimension: '- {name: x, type: time, sql: x, granularities: [{name: month, sql: b, $0}]}' },
  {
    measure: yaml`
      - name: x
        type: sum
        sql: x
        $0
    `,
  },
  {
    measure: yaml`
      - name: x
        type: string
        sql: x
        $0
    `,
  },
  {
    measure: yaml`
      - name: x
        type: sum
        sql: "{total}"
        multi_stage: true
        $0
    `,
  },
  { measure: '- {name: x, type: sum, sql: x, rolling_window: {trailing: 1 month, $0}}' },
  {
    segment: yaml`
      - name: x
        sql: x
        $0
    `,
  },
  {
    preAggregation: yaml`
      - name: x
        measures: [count]
        $0
    `,
  },
  {
    preAggregation: yaml`
      - name: x
        measures: [count]
        time_dimension: created_at
        granularity: day
        $0
    `,
  },
  {
    preAggregation: yaml`
      - name: x
        type: original_sql
        $0
    `,
  },
  {
    preAggregation: yaml`
      - name: x
        type: rollup_join
        rollups: [main]
        $0
    `,
  },
  {
    preAggregation: yaml`
      - name: x
        type: rollup_lambda
        rollups: [main]
        $0
    `,
  },
  { preAggregation: '- {name: x, measures: [count], refresh_key: {every: 1 hour, $0}}' },
  { preAggregation: '- {name: x, measures: [count], refresh_key: {sql: select 1, $0}}' },
  { cube: 'refresh_key: {every: 1 hour, $0}' },
  {
    policy: yaml`
      - group: g
        $0
    `,
  },
  {
    viewCube: yaml`
      - join_path: users
        includes: [city]
        prefix: true
        $0
    `,
  },
  { view: '$0' },
  {
    after: yaml`
      view_groups:
        - name: g
          $0
    `,
  },
];
/** Nothing more goes with them. */
const COMPLETE: readonly Slots[] = [
  { measure: '- {name: x, type: sum, sql: x, rolling_window: {type: to_date, granularity: day, $0}}' },
  { cube: 'refresh_key: {immutable: true, $0}' },
  { policy: '- {group: g, row_level: {allow_all: true, $0}}' },
  { policy: '- {group: g, row_level: {filters: [{and: [], $0}]}}' },
  {
    dimension: yaml`
      - name: x
        type: switch
        values: [a]
        $0
    `,
  },
];
const KEY_CODES: ReadonlySet<Code> = new Set<Code>(['unknown-key', 'misplaced-key', 'exclusive-keys', 'duplicate-key']);

describe('completion of keys', () => {
  it.each(BEGUN.map((slots) => [inOneLine(slots), slots] as const))('offers only what goes with: %s', (_, slots) => {
    const { items, text, offset } = sorted(placed(slots));
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
  });

  it.each(COMPLETE.map((slots) => [inOneLine(slots), slots] as const))('offers nothing beside: %s', (_, slots) => {
    expect(completions(placed(slots))).toEqual({ drawn: 'nothing' });
  });
});

describe('the explanation', () => {
  it.each(['cube', 'dimension', 'measure', 'join', 'view'] as const)('says what every key of a %s means', (slot) => {
    const begun: Slots =
      slot === 'cube' || slot === 'view'
        ? { [slot]: '$0' }
        : {
            [slot]: yaml`
        - name: x
          $0
      `,
          };
    for (const { label, documentation, detail } of sorted(placed(begun)).items) {
      if (detail === undefined) continue;
      expect([label, documentation]).not.toEqual([label, undefined]);
    }
  });
});
