import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { parseChatLine } from '#api/streams/chat-messages.ts';
import { fold, openFold } from '#chat-core/fold.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, emptyThread, withTurn } from '#chat-core/thread.ts';
import { type HostToView, type PatchOp, parseHostToView } from '#features/chat/messages.ts';
import { COALESCE_MS, Replica } from '#features/chat/replica.ts';
import { threadView } from '#features/chat/view-model.ts';
import { type ReplicaState, applyPatch, applySnapshot } from '#features/chat/page/replica-state.ts';
import { ManualClock } from '#support/manual-clock.ts';

const TURN = '1700000000000-message';
const turn: ChatTurn = {
  id: TURN,
  prompt: 'How many?',
  phase: 'streaming',
  startedAt: 1,
  messages: KeyedList.of<ChatMessage>([]),
};
const started: ChatThread = { ...emptyThread('k', 's', 1), title: 'How many?', turns: [turn] };
const SHOWN = 30;

function snapshotOf(now: ChatThread, epoch: number, seq: number): HostToView {
  return {
    type: 'snapshot',
    epoch,
    seq,
    thread: threadView(now, SHOWN, false),
    threads: [],
    header: { examples: [], sendWith: 'enter', fontSize: 0 },
    attachments: [],
  };
}

/** A view that takes what the replica posts, as the real one does: checked, applied, asking again after a gap. */
class FakeView {
  readonly posted: HostToView[] = [];
  readonly clock = new ManualClock();
  readonly replica: Replica;
  state: ReplicaState | undefined;
  /** Messages to lose, by their number. */
  lose = new Set<number>();
  resyncs = 0;

  constructor(thread: ChatThread) {
    const port = {
      post: (message: HostToView) => this.#receive(message),
      snapshot: snapshotOf,
      shownTurns: () => SHOWN,
    };
    this.replica = new Replica(port, this.clock, thread);
  }

  #receive(message: HostToView): void {
    this.posted.push(message);
    if (this.lose.has(this.posted.length)) return;
    const checked = parseHostToView(structuredClone(message));
    if (checked?.type === 'snapshot') this.state = applySnapshot(this.state, checked);
    else if (checked?.type === 'patch' && this.state) {
      const next = applyPatch(this.state, checked);
      if (next) this.state = next;
      else {
        this.resyncs += 1;
        this.replica.show();
      }
    }
  }
}

const line = fc.oneof(
  fc.record({
    id: fc.constantFrom('a', 'b', 'f'),
    role: fc.constant('assistant'),
    content: fc.string({ maxLength: 5 }),
    thinking: fc.string({ maxLength: 3 }),
    isDelta: fc.boolean(),
    isInProcess: fc.boolean(),
    graphPath: fc.constantFrom(['final'], ['agent', 'tools']),
  }),
  fc.record({
    id: fc.constant('t'),
    role: fc.constant('assistant'),
    toolCall: fc.record({ name: fc.constantFrom('serviceMeta', 'serviceSqlApi', 'other'), input: fc.constant('{}') }),
    isDelta: fc.boolean(),
    isInProcess: fc.boolean(),
  }),
);

describe('Replica', () => {
  it('shows what the host holds after any stream, hiding, loss and waiting', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: line.map((value) => ({ do: 'line' as const, value })) },
      { weight: 2, arbitrary: fc.constant({ do: 'wait' as const }) },
      { weight: 1, arbitrary: fc.constant({ do: 'hide' as const }) },
      { weight: 1, arbitrary: fc.constant({ do: 'show' as const }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('complete', 'stopped').map((phase) => ({ do: 'phase' as const, phase })),
      },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.array(fc.integer({ min: 2, max: 9 })),
        async (steps, lost) => {
          const view = new FakeView(started);
          view.lose = new Set(lost);
          view.replica.show();
          let folded = fold(openFold(started, TURN), parseChatLine({ id: '__cutoff__', state: { chatId: 'c' } }));
          for (const now of steps) {
            if (now.do === 'wait') await view.clock.advance(COALESCE_MS);
            else if (now.do === 'hide') view.replica.hide();
            else if (now.do === 'show') view.replica.show();
            else {
              folded =
                now.do === 'line'
                  ? fold(folded, parseChatLine(now.value))
                  : {
                      ...folded,
                      thread: withTurn(folded.thread, TURN, (t) => ({ ...t, phase: now.phase })),
                    };
              view.replica.set(folded.thread);
            }
          }
          view.lose.clear();
          view.replica.show();
          await view.clock.advance(COALESCE_MS);
          expect(view.state?.thread).toEqual(threadView(view.replica.thread, SHOWN, false));
        },
      ),
    );
  });

  // @shows chat-complaint-1
  it('keeps in step by patches alone and collects text that comes quickly', async () => {
    const view = new FakeView(started);
    view.replica.show();
    let folded = fold(openFold(started, TURN), parseChatLine({ id: '__cutoff__', state: { chatId: 'c' } }));
    for (const content of ['One ', 'two ', 'three ', 'four']) {
      folded = fold(folded, parseChatLine({ id: 'f', role: 'assistant', content, isDelta: true, isInProcess: true }));
      view.replica.set(folded.thread);
    }
    // The new message at once, its growth together.
    expect(view.posted.map(({ type }) => type)).toEqual(['snapshot', 'patch']);
    await view.clock.advance(COALESCE_MS);
    expect(view.posted).toHaveLength(3);
    expect(view.posted[2]).toMatchObject({ ops: [{ op: 'append', at: 4, text: 'two three four' }] });
    expect(view.state?.thread).toEqual(threadView(folded.thread, SHOWN, false));
    expect(view.resyncs).toBe(0);
  });

  it('sends the end at once, with the text before it', async () => {
    const view = new FakeView(started);
    view.replica.show();
    let folded = fold(openFold(started, TURN), parseChatLine({ id: '__cutoff__', state: { chatId: 'c' } }));
    for (const content of ['One ', 'two']) {
      folded = fold(folded, parseChatLine({ id: 'f', role: 'assistant', content, isDelta: true, isInProcess: true }));
      view.replica.set(folded.thread);
    }
    view.replica.set(withTurn(folded.thread, TURN, (now) => ({ ...now, phase: 'stopping' })));
    expect(view.state?.thread.turns[0]).toMatchObject({ head: { phase: 'stopping' }, messages: [{ text: 'One two' }] });
    await view.clock.advance(COALESCE_MS);
    expect(view.posted).toHaveLength(3);
  });

  it('posts nothing to a hidden view and a snapshot when it is back', () => {
    const view = new FakeView(started);
    view.replica.show();
    view.replica.hide();
    const longer = withTurn(started, TURN, (now) => ({ ...now, phase: 'complete' }));
    view.replica.set(longer);
    expect(view.posted).toHaveLength(1);
    view.replica.show();
    expect(view.state?.thread).toEqual(threadView(longer, SHOWN, false));
  });

  it('asks for a snapshot after a lost patch', async () => {
    const view = new FakeView(started);
    view.replica.show();
    view.lose.add(2);
    view.replica.set(withTurn(started, TURN, (now) => ({ ...now, quiet: true })));
    view.replica.set(withTurn(started, TURN, (now) => ({ ...now, phase: 'complete' })));
    expect(view.resyncs).toBe(1);
    expect(view.state?.thread.turns[0]?.head.phase).toBe('complete');
    await view.clock.advance(COALESCE_MS);
  });

  it('reads no text of an answer while events arrive, only when a view is due', () => {
    let reads = 0;
    const grown = (length: number): ChatMessage => ({
      id: 'f',
      get text() {
        reads += 1;
        return 'x'.repeat(length);
      },
      thinking: '',
      graphPath: ['final'],
      isInProcess: true,
      revision: 0,
    });
    const at = (length: number): ChatThread =>
      withTurn(started, TURN, (now) => ({ ...now, messages: KeyedList.of([grown(length)]) }));
    const view = new FakeView(at(1));
    view.replica.show();
    reads = 0;
    for (let length = 2; length < 500; length++) view.replica.set(at(length));
    expect(reads).toBe(0);
  });

  it('posts each character of a long answer to each view once, in a message for each pause', async () => {
    const WORDS = 'words, ';
    const EVENTS_A_PAUSE = 6;
    const streamed = async (events: number, views: number) => {
      const posted = Array.from({ length: views }, (): HostToView[] => []);
      const clocks = posted.map(() => new ManualClock());
      const replicas = posted.map((messages, at) => {
        const port = {
          post: (message: HostToView) => void messages.push(message),
          snapshot: snapshotOf,
          shownTurns: () => SHOWN,
        };
        const replica = new Replica(port, clocks[at] as ManualClock, started);
        replica.show();
        return replica;
      });
      let state = fold(openFold(started, TURN), parseChatLine({ id: '__cutoff__', state: { chatId: 'c' } }));
      const delta = {
        id: 'f',
        role: 'assistant',
        content: WORDS,
        graphPath: ['final'],
        isDelta: true,
        isInProcess: true,
      };
      for (let at = 0; at < events; at++) {
        state = fold(state, parseChatLine({ ...delta, sort: at }));
        for (const replica of replicas) replica.set(state.thread);
        if ((at + 1) % EVENTS_A_PAUSE === 0) for (const clock of clocks) await clock.advance(COALESCE_MS);
      }
      return posted.map((messages) => ({
        messages: messages.length,
        characters: messages.flatMap(opsOf).reduce((sum, op) => sum + lengthOf(op), 0),
      }));
    };
    // Counted, not timed. One is the snapshot, one the first word, which is shown at once.
    for (const [events, views] of [
      [60, 1],
      [600, 1],
      [600, 4],
    ] as const) {
      const expected = { messages: 2 + events / EVENTS_A_PAUSE, characters: events * WORDS.length };
      expect(await streamed(events, views)).toEqual(Array.from({ length: views }, () => expected));
    }
  });
});

function opsOf(message: HostToView): readonly PatchOp[] {
  return message.type === 'patch' ? message.ops : [];
}

function lengthOf(op: PatchOp): number {
  if (op.op === 'append') return op.text.length;
  return op.op === 'message' ? op.message.text.length : 0;
}
