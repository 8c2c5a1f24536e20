import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseChatLine } from '#api/streams/chat-messages.ts';
import { endReplay, fold, openFold } from '#chat-core/fold.ts';
import { emptyThread, withForeignTurn } from '#chat-core/thread.ts';
import { readTool } from '#chat-core/tool-result.ts';
import { parseHostToView } from '#features/chat/messages.ts';
import { threadView } from '#features/chat/view-model.ts';

const TURN = '1700000000000-message';
const header = { examples: [], sendWith: 'enter', fontSize: 0 } as const;

/** Returns what the page gets of a thread that a server has answered with these lines; `undefined`: the page would stay blank. */
function shown(lines: readonly unknown[]) {
  const asked = withForeignTurn(emptyThread('k', 's', 0), TURN, 'Q');
  const state = lines.map((line) => parseChatLine(line)).reduce(fold, openFold(asked, TURN));
  const thread = threadView(endReplay(state).thread, 30, false);
  const snapshot = { type: 'snapshot', epoch: 1, seq: 0, thread, threads: [], header, attachments: [] };
  const parsed = parseHostToView(JSON.parse(JSON.stringify(snapshot)));
  return parsed?.type === 'snapshot' ? parsed.thread : undefined;
}

const cutoff = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };
/** Numbers as servers write them in JSON, also wrong ones; `1e999` is read as infinite. */
const numbers = ['1', '0', '-1', '10.5', '1e999', '-1e999', '12345678901234567890', '"100"', 'null', '{}'];

describe('a server whose numbers are odd', () => {
  it.each(numbers)('costs no view of the chat where counts are %s', (number) => {
    const result = `{"schema":[{"name":"a","column_type":"number"}],"data":[["1"]],"totalRows":${number}}`;
    const call = { name: 'acmeSqlApi', input: '{"sqlQuery":"SELECT 1"}', result };
    const message = { id: 'm', role: 'assistant', toolCall: call, graphPath: ['a'], sort: 1 };
    const usage = JSON.parse(`{"id":"__usage__","totalTokens":${number},"sort":${number}}`) as object;
    expect(shown([cutoff, message, usage])?.turns).toMatchObject([{ messages: [{ tool: { detail: { rows: 1 } } }] }]);
  });

  it('costs no view of the chat, whatever it sends', () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(...numbers).map((text) => JSON.parse(text) as unknown),
    );
    const cell = fc.record(
      { schema: odd, data: odd, totalRows: odd, vegaSpec: odd, cubes: odd, error: odd },
      { requiredKeys: [] },
    );
    const call = fc.record({
      name: fc.constantFrom('aMeta', 'aSqlApi', 'other'),
      input: cell.map((each) => JSON.stringify(each)),
      result: cell.map((each) => JSON.stringify(each)),
    });
    const line = fc.record(
      {
        id: fc.constantFrom('a', 'b', TURN, '__cutoff__', '__state__', '__usage__', '__aborted__'),
        role: fc.constantFrom('assistant', 'user', 'system'),
        content: odd,
        thinking: odd,
        toolCall: fc.oneof(call, odd),
        graphPath: fc.oneof(fc.constant(['final']), odd),
        isDelta: odd,
        isInProcess: odd,
        sort: odd,
        totalTokens: odd,
        state: odd,
      },
      { requiredKeys: ['id'] },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        expect(shown([cutoff, ...lines])).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a result of an odd shape', () => {
  const read = (result: object, input: object = {}) => {
    const reading = readTool({ name: 'acmeSqlApi', input: JSON.stringify(input), result: JSON.stringify(result) });
    return reading.kind === 'sql' ? reading.result : undefined;
  };
  const a = { name: 'a', column_type: 'number' };

  it.each<readonly [string, object, object]>([
    ['no columns and no rows', { schema: [], data: [] }, { columns: [], rows: [], total: 0 }],
    [
      'columns of one name',
      { schema: [a, a], data: [['1', '2']] },
      { columns: [{ name: 'a' }, { name: 'a' }], rows: [['1', '2']] },
    ],
    [
      'a column without a name between others',
      { schema: [a, { column_type: 'text' }, { name: 'c' }], data: [['1', 'x', '3']] },
      { columns: [{ name: 'a' }, { name: 'Column 2', type: 'text' }, { name: 'c' }], rows: [['1', 'x', '3']] },
    ],
    ['a column that is a text', { schema: [a, 'b'], data: [['1', '2']] }, { columns: [{ name: 'a' }, { name: 'b' }] }],
    [
      'no description of its columns',
      { data: [['1', '2'], ['3']] },
      { columns: [{ name: 'Column 1' }, { name: 'Column 2' }] },
    ],
    [
      'more cells than columns',
      { schema: [a], data: [['1', '2']] },
      { columns: [{ name: 'a' }, { name: 'Column 2' }] },
    ],
    ['rows as objects', { schema: [a, { name: 'b' }], data: [{ b: 2, a: 1 }] }, { rows: [[1, 2]] }],
    [
      'rows as objects without columns',
      { data: [{ b: 2 }, { a: 1 }] },
      {
        columns: [{ name: 'b' }, { name: 'a' }],
        rows: [
          [2, undefined],
          [undefined, 1],
        ],
      },
    ],
    ['a row that is none', { schema: [a], data: [['1'], null, ['2']] }, { rows: [['1'], ['2']], total: 2 }],
    ['a number of rows as text', { schema: [a], data: [['1']], totalRows: '10000' }, { total: 10_000 }],
    ['a negative number of rows', { schema: [a], data: [['1']], totalRows: -1 }, { total: 1 }],
    ['half a row', { schema: [a], data: [['1']], totalRows: 2.5 }, { total: 2 }],
  ])('is read with %s', (_, result, expected) => {
    expect(read(result)).toMatchObject(expected);
  });

  it('keeps hundreds of columns', () => {
    const schema = Array.from({ length: 400 }, (_, at) => ({ name: `c${at}`, column_type: 'number' }));
    expect(read({ schema, data: [schema.map((__, at) => at)] })?.columns).toHaveLength(400);
  });
});
