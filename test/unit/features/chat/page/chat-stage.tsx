import { act, render } from '@testing-library/preact';
import type { HostToView, ViewMessage, ViewToHost, ViewTool, ViewTurn, ViewTurnHead } from '#features/chat/messages.ts';
import { connectHost } from '#features/chat/page/host.ts';
import { ChatModel } from '#features/chat/page/model.ts';
import { App } from '#features/chat/page/view/app.tsx';

type Snapshot = Extract<HostToView, { readonly type: 'snapshot' }>;

export const header: Snapshot['header'] = {
  target: { label: 'Shop analytics', branch: { name: 'dev-ada', isDefault: false } },
  examples: ['What can I ask about?'],
  sendWith: 'enter',
  fontSize: 0,
};

export const turnHead = (more: Partial<ViewTurnHead> = {}): ViewTurnHead => ({
  id: '1700000000000-message',
  prompt: 'How many orders?',
  attached: [],
  phase: 'complete',
  quiet: false,
  startedAt: 1_000,
  endedAt: 4_000,
  ...more,
});

export const message = (more: Partial<ViewMessage> = {}): ViewMessage => ({
  id: 'f',
  text: '',
  thinking: '',
  isFinal: true,
  isInProcess: false,
  ...more,
});

export const step = (tool: ViewTool, id = 't'): ViewMessage => message({ id, tool, isFinal: false });

export const turn = (messages: ViewMessage[], head: Partial<ViewTurnHead> = {}): ViewTurn => ({
  head: turnHead(head),
  messages,
});

/** A query's card with three rows in the host. */
export const query: ViewTool = {
  name: 'serviceSqlApi',
  state: 'done',
  summary: 'Orders by status · 3 rows',
  detail: {
    kind: 'sql',
    title: 'Orders by status',
    description: 'Counts orders',
    sql: 'SELECT status, MEASURE(count) FROM orders',
    columns: [
      { name: 'status', type: 'string' },
      { name: 'count', type: 'number' },
    ],
    rows: 3,
    total: 250,
    chart: false,
    query: false,
  },
};

export const snapshot = (turns: readonly ViewTurn[], more: Partial<Snapshot> = {}): Snapshot => ({
  type: 'snapshot',
  epoch: 1,
  seq: 0,
  thread: { key: 'k', title: 'Orders', elsewhere: false, turns: [...turns], earlier: 0, queued: [] },
  threads: [],
  header,
  attachments: [],
  ...more,
});

/** Everything is drawn at once. */
const atOnce = {
  now: () => 0,
  later: (_: number, work: () => void) => work(),
  drawn: (work: (ms: number) => void) => work(0),
};

/** The whole view on a host that only listens; `sent` is what it asked, without the handshake. */
export function show(first: Snapshot, kept?: unknown) {
  const sent: ViewToHost[] = [];
  const saved: unknown[] = [];
  const api = {
    postMessage: (value: unknown) => void sent.push(value as ViewToHost),
    getState: () => kept,
    setState: (state: unknown) => void saved.push(state),
  };
  const host = connectHost(api, window);
  const model = new ChatModel(host, atOnce);
  const tell = (data: HostToView): void =>
    void act(() => void window.dispatchEvent(new MessageEvent('message', { data })));
  tell(first);
  const view = render(<App model={model} host={host} />);
  const asked = (): readonly ViewToHost[] => sent.filter(({ type }) => type !== 'ready');
  return { ...view, model, sent, saved, tell, asked };
}
