import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { messageId } from '#api/resources/chat.ts';
import type { ChatTransport } from '#chat-core/ports.ts';
import type { ChatService } from '#chat-core/service.ts';
import { type ChatThread, isRunning, newMessageId } from '#chat-core/thread.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { ScriptedServer } from '#support/chat/scripted-server.ts';
import { main, platform, script, setUp } from '#support/chat/service-desk.ts';
import type { ManualClock } from '#support/manual-clock.ts';

/** The id of the question that waits at a position. */
const waiting = (service: ChatService, key: string, at = 0): string => service.get(key)?.queued?.[at]?.id ?? '';
const prompts = (thread: ChatThread | undefined): unknown => thread?.turns.map(({ prompt, phase }) => [prompt, phase]);

/** Until no answer ends and no file is written any more. */
async function quiet(...clocks: readonly ManualClock[]): Promise<void> {
  for (let round = 0; round < 12; round++) for (const clock of clocks) await clock.advance(0);
}

describe('a question that waits', () => {
  it('sends a question that was asked during an answer when the answer has ended', async () => {
    const good = platform();
    const { service, clock, files } = setUp(good);
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    service.queue(key, 'Third');
    expect(service.unqueue(key, waiting(service, key, 1))).toBe('Third');
    await service.flush();
    expect((await setUp(good, files).service.open(key))?.queued).toMatchObject([{ prompt: 'Second', isHeld: false }]);
    await quiet(clock);
    expect(prompts(service.get(key))).toEqual([
      ['First', 'complete'],
      ['Second', 'complete'],
    ]);
    expect(service.get(key)?.queued ?? []).toEqual([]);
  });

  it('sends nothing automatically after a stop, except what was asked since', async () => {
    const server = new ScriptedServer({ script });
    server.gate = () => new Promise(() => undefined);
    const { service, clock } = setUp(server);
    const { key } = service.create();
    service.send(key, 'First');
    await clock.advance(0);
    service.queue(key, 'Before the stop');
    void service.stop(key);
    await clock.advance(20_000);
    expect(service.get(key)?.turns).toMatchObject([{ prompt: 'First', phase: 'stopped' }]);
    expect(service.get(key)?.queued).toMatchObject([{ prompt: 'Before the stop', isHeld: true }]);
    const id = waiting(service, key);
    expect(service.sendQueued(key, id).ok).toBe(true);
    expect(service.sendQueued(key, id)).toEqual({ ok: false, error: { kind: 'empty' } });
  });

  it('holds a waiting question that is refused, because the branch has changed meanwhile', async () => {
    const { service, clock, target, ready } = setUp(platform());
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    target.set(ready({ branch: main }));
    await quiet(clock);
    expect(service.get(key)?.turns).toHaveLength(1);
    expect(service.get(key)?.queued).toMatchObject([{ prompt: 'Second', isHeld: true }]);
    expect(service.sendQueued(key, waiting(service, key), { acceptBranch: true }).ok).toBe(true);
  });

  it.each([
    ['another account is chosen', 'elsewhere'],
    ['the user signs out', 'missing'],
  ] as const)(
    'is held where %s before the answer ends, and sent by the user once the account is back',
    async (_, kind) => {
      const own = platform();
      const other = platform();
      const { service, clock, target, ready } = setUp(own);
      const { key } = service.create();
      service.send(key, 'First');
      service.queue(key, 'Second');
      target.set(
        kind === 'missing'
          ? { kind, what: 'account', message: 'Sign in.' }
          : ready({ scope: 'other', transport: other }),
      );
      await quiet(clock);
      expect(prompts(service.get(key))).toEqual([['First', 'complete']]);
      expect(service.get(key)?.queued).toMatchObject([{ prompt: 'Second', isHeld: true }]);
      expect(service.sendQueued(key, waiting(service, key), { acceptBranch: true })).toMatchObject({ error: { kind } });
      expect(service.get(key)?.queued).toHaveLength(1);
      target.set(ready());
      await quiet(clock);
      expect(service.get(key)?.turns).toHaveLength(1);
      expect(service.sendQueued(key, waiting(service, key)).ok).toBe(true);
      await quiet(clock);
      expect([own.asked(), other.asked()]).toEqual([['First', 'Second'], []]);
    },
  );

  it('goes to its own account only and is never lost, whatever accounts and stops come between', async () => {
    const step = fc.constantFrom('queue', 'stop', 'own', 'other', 'signedOut', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const [own, other] = [platform(), platform()];
        const { service, clock, target, ready } = setUp(own);
        const { key } = service.create();
        service.send(key, 'q0');
        let asked = 1;
        for (const what of steps) {
          if (what === 'queue') service.queue(key, `q${asked++}`);
          if (what === 'stop') void service.stop(key);
          if (what === 'own') target.set(ready());
          if (what === 'other') target.set(ready({ scope: 'other', transport: other }));
          if (what === 'signedOut') target.set({ kind: 'missing', what: 'account', message: 'Sign in.' });
          if (what === 'wait') await clock.advance(0);
        }
        await clock.advance(60_000);
        await quiet(clock);
        expect(other.asked()).toEqual([]);
        const { turns = [], queued = [] } = service.get(key) ?? {};
        const known = [...turns, ...queued].map(({ prompt }) => prompt);
        expect(known.toSorted()).toEqual(Array.from({ length: asked }, (_, at) => `q${at}`).toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it('is for the user to send where the answer before it failed', async () => {
    const failing: ChatTransport = { ...platform(), send: () => Promise.reject(new Error('broken')) };
    const { service, clock } = setUp(failing);
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    await quiet(clock);
    expect(service.get(key)).toMatchObject({ turns: [{ phase: 'failed' }], queued: [{ isHeld: true }] });
  });

  it('leaves the queue in the very write that makes it a turn', async () => {
    const files = new MemoryFiles();
    const writes: string[] = [];
    const append = files.append.bind(files);
    files.append = (name, text) => {
      writes.push(text);
      return append(name, text);
    };
    const { service, clock } = setUp(platform(), files);
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    const id = waiting(service, key);
    await quiet(clock);
    expect(service.get(key)?.turns.map((turn) => turn.id)).toContain(id);
    expect(writes.filter((text) => text.includes(`"kind":"unqueued","id":"${id}"`))).toEqual([
      expect.stringMatching(/"kind":"turn"[^]*"kind":"unqueued"/),
    ]);
  });

  it('waits for the user where the window was closed between the answer and it', async () => {
    const { service, clock, files } = setUp(platform());
    const { key } = service.create();
    service.send(key, 'First');
    await quiet(clock);
    await service.flush();
    service.dispose();
    await files.append(
      `thread-${key}.jsonl`,
      '{"kind":"queued","id":"1800000000000-message","prompt":"Second","isHeld":false}\n',
    );
    const opened = await setUp(platform(), files).service.open(key);
    expect(opened?.queued).toEqual([{ id: '1800000000000-message', prompt: 'Second', isHeld: true }]);
  });

  it('keeps the questions of an earlier version, which have no ids', async () => {
    const { service, clock, files } = setUp(platform());
    const { key } = service.create();
    service.send(key, 'First');
    await quiet(clock);
    const name = `thread-${key}.jsonl`;
    const head = (await files.read(name))?.split('\n').find((line) => line.includes('"kind":"thread"')) ?? '';
    const queued = [
      { prompt: 'Second', isHeld: true },
      { prompt: 'Third', isHeld: true },
    ];
    await files.append(name, `${JSON.stringify({ ...(JSON.parse(head) as object), queued })}\n`);
    const later = setUp(platform(), files);
    const opened = await later.service.open(key);
    expect(opened?.queued).toMatchObject(queued);
    later.service.sendQueued(key, waiting(later.service, key));
    expect(later.service.get(key)?.turns.at(-1)?.id).toMatch(/^\d{13}-message$/);
  });

  it('is not sent after a stop in another window, nor when that window has taken it back', async () => {
    const gate = new Gate();
    const server = platform(gate.pass);
    const first = setUp(server);
    const { key } = first.service.create();
    first.service.send(key, 'First');
    first.service.queue(key, 'Second');
    first.service.queue(key, 'Third');
    await quiet(first.clock);
    const second = setUp(server, first.files);
    await second.service.open(key);
    await quiet(second.clock);
    expect(second.service.get(key)?.queued).toHaveLength(2);
    first.service.unqueue(key, waiting(first.service, key));
    void first.service.stop(key);
    gate.open();
    await first.clock.advance(20_000);
    await quiet(first.clock, second.clock);
    expect(server.asked()).toEqual(['First']);
    expect(first.service.get(key)?.queued).toMatchObject([{ prompt: 'Third', isHeld: true }]);
    expect(second.service.get(key)?.queued?.every(({ isHeld }) => isHeld)).toBe(true);
  });

  it('is taken over where another window has sent it', async () => {
    const gate = new Gate();
    const server = platform(gate.pass);
    const first = setUp(server);
    const { key } = first.service.create();
    first.service.send(key, 'First');
    first.service.queue(key, 'Second');
    await quiet(first.clock);
    const second = setUp(server, first.files);
    await second.service.open(key);
    gate.open();
    await quiet(first.clock, second.clock);
    expect(server.asked()).toEqual(['First', 'Second']);
    for (const { service } of [first, second]) {
      const { turns, queued = [] } = service.get(key) ?? {};
      expect(turns).toMatchObject([
        { prompt: 'First', phase: 'complete' },
        { prompt: 'Second', phase: 'complete' },
      ]);
      expect(queued).toEqual([]);
    }
  });

  it('is asked once and never lost, whatever two windows do on its thread and wherever they end', async () => {
    const acts = ['ask', 'ask', 'ask', 'takeBack', 'sendNow', 'stop', 'answer', 'answer', 'reload', 'crash'] as const;
    const step = fc.record({ act: fc.constantFrom(...acts), window: fc.nat(1) });
    type Step = { readonly act: (typeof acts)[number]; readonly window: number };
    const steps = (...names: readonly `${Step['act']} ${0 | 1}`[]): [Step[]] => [
      names.map((name) => {
        const [act, window] = name.split(' ');
        return { act: act as Step['act'], window: Number(window) };
      }),
    ];
    // In each of these, two windows once sent a question at the same moment, under two ids.
    const examples = [
      steps('answer 0', 'ask 0', 'ask 0', 'answer 0', 'ask 1', 'reload 1'),
      steps('answer 0', 'ask 1', 'ask 1', 'answer 0', 'ask 0', 'reload 0'),
      steps('stop 0', 'crash 0', 'ask 1', 'ask 1', 'ask 0', 'reload 0'),
      // In this one, a window removed a question of the other one that it had read from the file and never had.
      steps('ask 1', 'crash 0', 'takeBack 0', 'ask 0', 'answer 0', 'answer 0', 'reload 0'),
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (played) => {
        const gate = new Gate();
        const server = platform(gate.pass);
        const shared = new MemoryFiles();
        const windows = [new Window(server, shared, 0), new Window(server, shared, 5)];
        const [first, second] = windows as [Window, Window];
        const key = first.service.create().key;
        first.service.send(key, 'First');
        await first.service.flush();
        await second.service.open(key);
        const asks = new Set<string>();
        const takenBack = new Set<string>();
        for (const [at, { act, window }] of played.entries()) {
          const own = windows[window] as Window;
          if (act === 'ask') asks.add(own.ask(key, `q${at}`));
          else if (act === 'takeBack') takenBack.add(own.takeBack(key));
          else if (act === 'answer') gate.let();
          else await own.do(act, key);
          // No two windows ask in the same millisecond.
          for (const { clock } of windows) await clock.advance(10);
        }
        gate.open();
        for (const { clock } of windows) await clock.advance(60_000);
        await quiet(...windows.map(({ clock }) => clock));

        const asked = server.asked();
        expect(asked).toEqual([...new Set(asked)]);
        const threads = windows.map(({ service }) => service.get(key));
        const waits = threads.flatMap((thread) => thread?.queued ?? []);
        // Nothing waits for an end that has come.
        expect(waits.filter(({ isHeld }) => !isHeld)).toEqual([]);
        const there = new Set([...asked, ...takenBack, ...waits.map(({ prompt }) => prompt)]);
        expect([...asks].filter((prompt) => !there.has(prompt))).toEqual([]);
      }),
      { examples },
    );
  });
});

/** Lets lines of answers through, one by one or all. */
class Gate {
  #isOpen = false;
  #held: (() => void)[] = [];

  readonly pass = (): Promise<void> =>
    this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#held.push(resolve));

  let(): void {
    for (const resolve of this.#held.splice(0)) resolve();
  }

  open(): void {
    this.#isOpen = true;
    this.let();
  }
}

/** A window on files that it shares with others; one that has ended writes nothing any more. */
class Window {
  readonly #server: ChatTransport;
  readonly #shared: MemoryFiles;
  #desk: ReturnType<typeof setUp>;
  #isOver = { value: false };

  constructor(server: ChatTransport, shared: MemoryFiles, startsAfter: number) {
    this.#server = server;
    this.#shared = shared;
    this.#desk = setUp(server, this.#files());
    this.#desk.clock.set(startsAfter);
  }

  get service(): ChatService {
    return this.#desk.service;
  }

  get clock(): ManualClock {
    return this.#desk.clock;
  }

  /** As the view does: what is asked during an answer waits for its end. */
  ask(key: string, prompt: string): string {
    const last = this.service.get(key)?.turns.at(-1);
    if (last && isRunning(last)) this.service.queue(key, prompt);
    else this.service.send(key, prompt);
    return prompt;
  }

  takeBack(key: string): string {
    return this.service.unqueue(key, waiting(this.service, key)) ?? '';
  }

  async do(act: 'sendNow' | 'stop' | 'reload' | 'crash', key: string): Promise<void> {
    if (act === 'sendNow') this.service.sendQueued(key, waiting(this.service, key));
    else if (act === 'stop') void this.service.stop(key);
    else {
      if (act === 'reload') await this.service.flush();
      await this.#restart(key);
    }
  }

  async #restart(key: string): Promise<void> {
    this.#isOver.value = true;
    const { clock, service } = this.#desk;
    service.dispose();
    this.#desk = setUp(this.#server, this.#files());
    this.#desk.clock.set(clock.now() - this.#desk.clock.now());
    await this.#desk.service.open(key);
  }

  #files(): MemoryFiles {
    const isOver = { value: false };
    this.#isOver = isOver;
    const files = new MemoryFiles(this.#shared.content);
    const append = files.append.bind(files);
    files.append = (name, text) => (isOver.value ? new Promise(() => undefined) : append(name, text));
    return files;
  }
}

describe('newMessageId', () => {
  it.each([0, 999, 1_700_000_000_000.7, 99_999_999_999_999])(
    'makes an id that the platform accepts, at time %d',
    (now) => {
      expect(v.is(messageId, newMessageId({ turns: [] }, now))).toBe(true);
    },
  );

  it('makes an id of its own whatever the clock says and whatever ids the platform has given', () => {
    const id = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((time) => `${String(time).padStart(13, '0')}-message`);
    fc.assert(
      fc.property(fc.array(id, { minLength: 1, maxLength: 4 }), fc.nat(), fc.nat(3), (ids, now, queuedCount) => {
        const asked = ids.map((each) => ({ id: each })) as unknown as ChatThread['turns'];
        const queued = asked.slice(0, queuedCount) as unknown as ChatThread['queued'];
        const made = newMessageId({ turns: asked.slice(queuedCount), queued }, now);
        expect(v.is(messageId, made)).toBe(true);
        expect(ids).not.toContain(made);
      }),
      {
        examples: [
          [['99999999999999999999-message'], 0, 0],
          [['1700000000001-message'], 1_700_000_000_001, 0],
        ],
      },
    );
  });

  it('is later than the questions before it after the clock was set back', () => {
    const turns = ['1700000000005-message', '1700000000009-message'].map((id) => ({ id })) as never;
    expect(newMessageId({ turns }, 1_600_000_000_000)).toBe('1700000000010-message');
  });
});
