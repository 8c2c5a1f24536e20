import { describe, expect, it } from 'vitest';
import type { ViewMessage, ViewTool } from '#features/chat/messages.ts';
import { followUps } from '#features/chat/page/follow-ups.ts';
import { turn } from './chat-stage.tsx';

const member = (name: string, kind: string) => ({ name, title: name, kind });
const search: ViewTool = {
  name: 'serviceMeta',
  state: 'done',
  summary: '',
  detail: {
    kind: 'meta',
    query: '',
    cubes: [
      {
        name: 'orders',
        title: 'Orders',
        kind: 'cube',
        members: [
          member('orders.month', 'time'),
          member('orders.revenue', 'sum'),
          member('orders.status', 'string'),
          member('orders.gross', 'sum'),
        ],
      },
      { name: 'stores', title: 'Stores', kind: 'cube', members: [member('stores.city', 'string')] },
    ],
  },
};
const query = (sql: string, more: Partial<ViewTool> = {}): ViewTool => ({
  name: 'serviceSqlApi',
  state: 'done',
  summary: '',
  detail: { kind: 'sql', title: '', description: '', sql, columns: [], rows: 2, total: 2, chart: false, query: false },
  ...more,
});
const sql = 'SELECT orders.month, MEASURE(revenue) FROM orders GROUP BY 1';
const message = (id: string, more: Partial<ViewMessage>): ViewMessage => ({
  id,
  text: '',
  thinking: '',
  isFinal: false,
  isInProcess: false,
  ...more,
});
const answered = (...tools: readonly ViewTool[]): readonly ViewMessage[] => [
  ...tools.map((tool, at) => message(String(at), { tool })),
  message('f', { isFinal: true, text: 'Revenue grew; `orders.gross` is another one.' }),
];

describe('followUps', () => {
  it('continue with what the answer found and named, and with nothing else', () => {
    expect(followUps(turn([...answered(search, query(sql))]))).toEqual([
      'Break this down by orders.status.',
      'How is orders.revenue defined?',
      'What is orders.gross, and how does it differ?',
    ]);
  });

  it('are none where nothing was found, or the turn has not ended well', () => {
    expect(followUps(turn([...answered(query(sql))]))).toEqual([]);
    expect(followUps(turn([...answered(search, query(sql))], { phase: 'stopped' }))).toEqual([]);
  });

  it('ask what went wrong where the query failed', () => {
    expect(followUps(turn([...answered(search, query(sql, { state: 'failed', error: 'No.' }))]))[0]).toBe(
      'What went wrong, and how can I ask for it instead?',
    );
  });
});
