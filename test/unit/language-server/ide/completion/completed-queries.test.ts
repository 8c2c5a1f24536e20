import type { CompletionItem } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { LineIndex } from '#base/line-index.ts';
import { agentCompletion } from '#model/agents/agent-completion.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { placedInYaml } from '#language-server/ide/completion/placed-in-yaml.ts';
import { queryCompletion } from '#language-server/ide/queries/query-completion.ts';
import { type Cut, cutsOf } from '#support/language/cut-words.ts';
import { indexOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const index = indexOf({
  'a.yml': yaml`
    cubes:
      - name: orders
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: status, sql: status, type: string}
          - {name: created_at, sql: created_at, type: time}
        measures:
          - {name: count, type: count}
          - {name: total, type: sum, sql: x}
        segments: [{name: paid, sql: paid}]
  `,
});

const QUERY = yaml`
  ‹title›: x
  ‹query›:
    ‹measures›:
      - ‹orders.count›
      - "‹orders.total›"
    ‹dimensions›: [‹orders.status›, '‹orders.created_at›']
    segments: ["‹orders.paid›"]
    timeDimensions:
      - ‹dimension›: ‹orders.created_at›
        ‹granularity›: ‹month›
        ‹dateRange›: ‹last 7 days›
      - {dimension: "‹orders.created_at›", granularity: '‹day›', dateRange: "‹this year›"}
    filters:
      - ‹member›: ‹orders.status›
        ‹operator›: ‹equals›
        values: [paid]
      - ‹or›:
          - {member: ‹orders.total›, operator: ‹gt›, values: [1]}
          - member: '‹orders.id›'
            operator: "‹set›"
    order:
      ‹orders.count›: ‹desc›
    ‹total›: ‹true›
  ‹tests›:
    - name: one
      ‹rows›:
        - {‹orders.count›: 5}
        - ‹orders.status›: paid
      as: {a: 1}
    - name: two
      value: {‹member›: ‹orders.count›, ‹is›: 5}
    - name: three
      unique:
      - ‹orders.status›
      - ‹orders.created_at›
    - name: four
      compare:
          query:
              measures: [‹orders.count›]
          ‹by›: ‹rowCount›
`;

const AGENTS = yaml`
  ‹spaces›:
    - name: one
      ‹rules›:
        - name: r
          ‹type›: ‹always›
          ‹prompt›: >
            x
  ‹agents›:
    - name: a
      ‹space›: "‹one›"
      ‹llm›: ‹claude_5_sonnet›
      ‹accessible_views›: [‹sales›, '‹costs›']
      ‹memory_mode›: ‹user›
    - name: b
      space: ‹one›
      accessible_views:
      - ‹sales›
      - "‹costs›"
      embedding_llm: '‹text-embedding-3-small›'
    - {name: c, ‹space›: ‹one›, ‹runtime›: ‹plain›}
`;

/** Returns what is offered at the cursor of a query file. */
function inQuery(text: string, offset: number): readonly CompletionItem[] {
  const root = { uri: '', index, queries: undefined, isInside: false };
  const opened = { uri: 'q.query.yml', file: parseQueryFile(text), positions: new LineIndex(text), root };
  return queryCompletion(opened, offset).items;
}

/** Returns what is offered at the cursor of a file of agents. */
function inAgents(text: string, offset: number): readonly CompletionItem[] {
  const names = { spaces: new Set(['one']), certifiedQueries: new Set<string>() };
  const { wordStart, items } = agentCompletion(text, offset, { names, views: new Set(['sales', 'costs']) });
  return items.map(({ label, kind, insert }) =>
    placedInYaml(
      { label, kind: kind === 'key' ? 10 : 20, insertText: insert },
      { text, positions: new LineIndex(text), wordStart, offset },
    ),
  );
}

/** Returns the texts that the completions of a cut word give. */
function completedTexts(
  { text: marked }: Cut,
  ask: (text: string, offset: number) => readonly CompletionItem[],
): readonly string[] {
  const offset = marked.indexOf('$0');
  const text = marked.replace('$0', '');
  const positions = new LineIndex(text);
  return ask(text, offset).map(({ textEdit }) => {
    if (!textEdit || !('range' in textEdit)) return 'no range';
    const [start, end] = [positions.offsetAt(textEdit.range.start), positions.offsetAt(textEdit.range.end)];
    return text.slice(0, start) + textEdit.newText + text.slice(end);
  });
}

describe('a word that is cut back', () => {
  it.each([
    ['a query file', QUERY, inQuery],
    ['a query file with Windows line breaks', QUERY.replaceAll('\n', '\r\n'), inQuery],
    ['a file of agents', AGENTS, inAgents],
    ['a file of agents with Windows line breaks', AGENTS.replaceAll('\n', '\r\n'), inAgents],
  ])('is restored by a completion, whatever stands behind it, in %s', (_, marked, ask) => {
    const missed = [...cutsOf(marked)].filter((cut) => !completedTexts(cut, ask).includes(cut.sound));
    expect(missed.map(({ what, word }) => `${what} ← ${word}`)).toEqual([]);
  });

  it('is not offered where its key is written on another line', () => {
    const labels = inQuery('title: x\n\nquery:\n  measures: []\n', 9).map(({ label }) => label);
    expect(labels).toEqual(['description', 'question', 'tests']);
  });

  it('gets its list where the lists of the file stand', () => {
    const [key] = inQuery('query:\n  measures:\n  - orders.count\n  di', 42).filter(
      ({ label }) => label === 'dimensions',
    );
    expect(key?.textEdit?.newText).toBe('dimensions:\n- ');
  });
});
