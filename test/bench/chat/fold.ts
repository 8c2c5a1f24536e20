import { type ChatEvent, parseChatLine } from '#api/streams/chat-messages.ts';
import { abortReason } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { KeyedList } from '#base/keyed-list.ts';
import { Store } from '#base/store.ts';
import { type Fold, fold, openFold } from '#chat-core/fold.ts';
import { type ChatMessage, type ChatThread, emptyThread } from '#chat-core/thread.ts';
import { Replica } from '#features/chat/replica.ts';
import { threadView } from '#features/chat/view-model.ts';
import type { Figure } from '../figures.ts';

const TURN = '1700000000000-message';
/** Events that arrive before a view gets what was collected for it: a fast stream. */
const EVENTS_A_FLUSH = 6;

/** Taking events of an answer into a thread, and keeping a view in step with it. */
export async function foldFigures(quick: boolean): Promise<readonly Figure[]> {
  const messages = quick ? [500, 1_000, 2_000] : [2_000, 4_000, 8_000, 16_000];
  const events = quick ? [2_000, 5_000] : [5_000, 20_000, 50_000];
  const runs = quick ? 2 : 4;
  const figures: Figure[] = [];
  for (const isLive of [true, false]) figures.push(...(await growth(messages, isLive, runs)));
  // As many events of each size: where few are measured, most of them run before the code is compiled.
  const most = Math.max(...events);
  for (const count of events) figures.push(await besideView(count, Math.ceil((runs * most) / count)));
  return figures;
}

/** Microseconds a message for growing turns: constant where folding is linear. */
async function growth(sizes: readonly number[], isLive: boolean, runs: number): Promise<readonly Figure[]> {
  const costs: number[] = [];
  for (const size of sizes) {
    const ms = await least(runs, () => Promise.resolve(void folded(messagesOf(size, isLive))));
    costs.push((ms * 1000) / size);
  }
  return sizes.map((size, at) => {
    const value = costs[at] ?? 0;
    const ratio = value / (costs[0] ?? 1);
    const id = `fold ${size.toLocaleString('en')} ${isLive ? 'live' : 'replayed'} messages of one turn, each`;
    return {
      id,
      value,
      unit: 'µs',
      peer: `${sizes[0]} messages`,
      peerValue: costs[0] ?? 0,
      ratio,
      reach: 3,
      ok: ratio <= 3,
    };
  });
}

/** One long answer in deltas, with a view that is brought up to date every 50 ms and without. */
async function besideView(count: number, runs: number): Promise<Figure> {
  const lines = linesOf(count);
  const alone = await least(runs, () => streamed(lines, false));
  const value = await least(runs, () => streamed(lines, true));
  const ratio = value / alone;
  const id = `${count.toLocaleString('en')} events of an answer with an open view`;
  return { id, value, unit: 'ms', peer: 'without a view', peerValue: alone, ratio, reach: 1.5, ok: ratio <= 1.5 };
}

async function streamed(lines: readonly string[], isShown: boolean): Promise<void> {
  const store = new Store(begun());
  const clock = new Pauses();
  const port = {
    post: () => undefined,
    snapshot: (thread: ChatThread, epoch: number, seq: number) => ({
      type: 'snapshot' as const,
      epoch,
      seq,
      thread: threadView(thread, 30, false),
      threads: [],
      header: { examples: [], sendWith: 'enter' as const, fontSize: 0 },
      attachments: [],
    }),
    shownTurns: () => 30,
  };
  const replica = new Replica(port, clock, store.value);
  if (isShown) replica.show();
  store.onDidChange((thread) => replica.set(thread));
  let state = openFold(store.value, TURN);
  for (const [at, line] of lines.entries()) {
    state = fold(state, parseChatLine(JSON.parse(line)));
    store.set(state.thread);
    if (at % EVENTS_A_FLUSH === 0) await clock.end();
  }
  replica.dispose();
}

/** A clock whose pauses end when they are told to, without a turn of the event loop, which would cost more than what is measured. */
class Pauses implements Clock {
  #ends: (() => void)[] = [];

  now(): number {
    return 0;
  }

  sleep(_: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#ends.push(resolve);
      signal?.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
    });
  }

  async end(): Promise<void> {
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
    await Promise.resolve();
  }
}

function folded(events: readonly ChatEvent[]): Fold {
  return events.reduce(fold, openFold(begun(), TURN));
}

function begun(): ChatThread {
  const turn = {
    id: TURN,
    prompt: 'Q',
    phase: 'streaming',
    startedAt: 1,
    messages: KeyedList.of<ChatMessage>([]),
  } as const;
  return { ...emptyThread('k', 's', 1), turns: [turn] };
}

const CUTOFF = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };

function messagesOf(count: number, isLive: boolean): readonly ChatEvent[] {
  const messages = Array.from({ length: count }, (_, at) => lineOf(`m${at}`, 'One word', at, false));
  return (isLive ? [CUTOFF, ...messages] : [...messages, CUTOFF]).map((line) => parseChatLine(line));
}

function linesOf(count: number): readonly string[] {
  const deltas = Array.from({ length: count }, (_, at) => lineOf('f', 'words, ', at, true));
  return [CUTOFF, ...deltas].map((line) => JSON.stringify(line));
}

function lineOf(id: string, content: string, sort: number, isDelta: boolean): object {
  return { id, role: 'assistant', content, graphPath: ['final'], isDelta, isInProcess: true, sort };
}

async function least(runs: number, work: () => Promise<void>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  // Processor time, and the least of it: other work on the machine only ever adds.
  return Math.min(...times);
}
