import { describe, expect, it } from 'vitest';
import { getLogs } from '#api/resources/runtime.ts';
import { silentLogger } from '#base/log.ts';
import { LogFeed, type LogTarget } from '#features/logs/log-feed.ts';
import type { Bounded } from '#features/logs/log-match.ts';
import type { AskLog, LogLine } from '#features/logs/log-tail.ts';
import type { HostToLog, LogState, LogToHost } from '#features/logs/messages.ts';
import { openDesk } from '#support/features.ts';
import { watchdog } from '#features/logs/vscode/bounded.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { refusals } from '../../../vscode/forms.ts';

const row = (at: number, message: string): LogLine => ({ date: String(at), pod: 'p', container: 'MAIN', message });

/** A view of a log that answers what `ask` says; `looks` more times. */
function open(ask: AskLog, bounded: Bounded = (work) => (work(), true), from?: string) {
  const clock = new ManualClock();
  const heard: HostToLog[] = [];
  const done: unknown[] = [];
  const feed = new LogFeed({
    log: {
      accountId: 'a',
      deploymentId: '1',
      title: 'Shop · dev · MAIN',
      source: 'dev',
      container: 'MAIN',
      ...(from === undefined ? {} : { from }),
    },
    ask,
    clock,
    logger: silentLogger,
    post: (message) => heard.push(message),
    actions: {
      save: async (parts) => {
        let text = '';
        for await (const part of parts) text += part;
        done.push(['save', text]);
      },
      copy: (text) => Promise.resolve(void done.push(['copy', text])),
      open: (target: LogTarget) => Promise.resolve(void done.push(['open', target])),
      choose: (what) => Promise.resolve(void done.push(['choose', what])),
    },
    bounded,
  });
  const state = (): LogState | undefined => heard.findLast((message) => message.type === 'state');
  const tell = async (message: LogToHost): Promise<void> => feed.receive(message);
  const texts = async (): Promise<readonly string[]> => {
    const { from = 0, to = 0 } = state() ?? {};
    await tell({ type: 'lines', offset: from, count: to - from });
    const lines = heard.findLast((message) => message.type === 'lines');
    return (lines?.lines ?? []).map(([text]) => text.replace(/^.* │ /, ''));
  };
  return { clock, feed, heard, done, state, tell, texts };
}

/** Lets time pass until the view hears of a state. */
async function until({ clock, state }: View, isIt: (state: LogState) => boolean): Promise<void> {
  for (let now = state(); now === undefined || !isIt(now); now = state()) {
    await clock.advance(100);
  }
}

type View = ReturnType<typeof open>;

/** Answers each look with the next rows; the look after the last one ends the following. */
function looks(end: () => void, ...answers: readonly (readonly LogLine[])[]): AskLog {
  const left = [...answers];
  return async function* () {
    const next = left.shift();
    if (next === undefined) end();
    yield await Promise.resolve(next ?? []);
  };
}

async function followed(...answers: readonly (readonly LogLine[])[]) {
  const view = open(looks(() => view.feed.dispose(), ...answers));
  await view.clock.run(view.feed.run());
  return view;
}

describe('a log view', () => {
  it('shows what comes, and gives only the lines that are asked for', async () => {
    const { state, texts, heard } = await followed([row(1, 'one')], [row(1, 'one'), row(2, 'two\nmore')]);
    expect(state()).toMatchObject({ phase: 'following', title: 'Shop · dev · MAIN', from: 0, to: 3, isPaused: false });
    expect(heard.every(({ type }) => type === 'state')).toBe(true);
    expect(await texts()).toEqual(['one', 'two', '    more']);
  });

  it('follows an empty log too', async () => {
    const { state } = await followed([], []);
    expect(state()).toMatchObject({ phase: 'following', to: 0 });
  });

  it('holds new lines while it is paused, counts them, and shows them afterwards', async () => {
    const view = open(
      looks(
        () => view.feed.dispose(),
        [row(1, 'one')],
        [row(1, 'one'), row(2, 'two')],
        [row(2, 'two'), row(3, 'three')],
      ),
    );
    const running = view.feed.run();
    await until(view, ({ to }) => to === 1);
    await view.tell({ type: 'pause' });
    await until(view, ({ held }) => held === 2);
    expect(await view.texts()).toEqual(['one']);
    await view.tell({ type: 'resume' });
    expect([view.state()?.held, await view.texts()]).toEqual([0, ['one', 'two', 'three']]);
    view.feed.dispose();
    await running;
  });

  it('filters by words and by severity, says what is not a filter, finds, and clears', async () => {
    const view = open(looks(() => undefined, [row(1, 'ERROR a'), row(2, 'b'), row(3, 'WARN c')]));
    const running = view.feed.run();
    await until(view, ({ to }) => to === 3);
    await view.tell({ type: 'filter', text: '', level: 'warning' });
    expect([await view.texts(), view.state()?.isFiltered]).toEqual([['ERROR a', 'WARN c'], true]);
    await view.tell({ type: 'find', text: 'warn', from: 0, backwards: false });
    expect(view.heard.at(-1)).toMatchObject({ type: 'found', index: 1 });
    await view.tell({ type: 'find', text: 'b', from: 0, backwards: false });
    expect(view.heard.at(-1)).toMatchObject({ type: 'found', index: undefined });
    await view.tell({ type: 'filter', text: '/[/', level: 'debug' });
    expect([view.state()?.problem, await view.texts()]).toEqual([
      expect.stringContaining('regular'),
      ['ERROR a', 'WARN c'],
    ]);
    await view.tell({ type: 'filter', text: 'b', level: 'debug' });
    expect([view.state()?.problem, await view.texts()]).toEqual(['', ['b']]);
    await view.tell({ type: 'clear' });
    expect(view.state()).toMatchObject({ to: 0, isFiltered: true });
    view.feed.dispose();
    await running;
  });

  it('marks what is searched for in the lines that the view has, and says what is not an expression', async () => {
    const view = open(looks(() => undefined, [row(1, 'a b a'), row(2, 'b')]));
    const running = view.feed.run();
    await until(view, ({ to }) => to === 2);
    await view.texts();
    const marks = () => view.heard.findLast((message) => message.type === 'lines')?.marks;
    expect(marks()).toEqual([[], []]);
    await view.tell({ type: 'find', text: '/a|z*/', from: 0, backwards: false });
    const start = '1 MAIN p │ '.length;
    expect(marks()).toEqual([[start, start + 1, start + 4, start + 5], []]);
    await view.tell({ type: 'find', text: '/[/', from: 0, backwards: false });
    expect(view.heard.findLast((message) => message.type === 'found')?.problem).toContain('regular');
    expect(marks()).toEqual([[], []]);
    view.feed.dispose();
    await running;
  });

  it('gives up an expression that does not end, says so, and continues with the log', async () => {
    const rope = `${'a'.repeat(60)}!`;
    const view = open(
      looks(() => undefined, [row(1, 'one'), row(2, rope)], [row(3, 'ERROR three')]),
      watchdog(),
    );
    const running = view.feed.run();
    await until(view, ({ to }) => to >= 2);
    await view.tell({ type: 'filter', text: '/(a+)+$/', level: 'info' });
    await until(view, ({ problem }) => problem !== '');
    expect(view.state()?.problem).toMatch(/too slow for a line[^]* Simplify it/);
    await view.tell({ type: 'find', text: '/(a+)+$/', from: 0, backwards: false });
    expect(view.heard.at(-1)).toMatchObject({ type: 'found', index: undefined, problem: view.state()?.problem });
    await until(view, ({ to }) => to === 3);
    expect(await view.texts()).toEqual(['one', rope, 'ERROR three']);
    await view.tell({ type: 'filter', text: '/a{3}/', level: 'info' });
    expect([view.state()?.problem, await view.texts()]).toEqual(['', [rope]]);
    view.feed.dispose();
    await running;
  });

  it('saves and copies what is shown, whole lines; opens a file that a line names', async () => {
    const long = 'x'.repeat(9000);
    const view = await followed([row(1, long), row(2, 'model/cubes/orders.yml:3')]);
    await view.tell({ type: 'lines', offset: 0, count: 1 });
    const given = view.heard.findLast((message) => message.type === 'lines');
    expect(given?.lines[0]?.[0].length).toBeLessThan(4100);
    await view.tell({ type: 'save' });
    await view.tell({ type: 'copy' });
    await view.tell({ type: 'open', path: 'model/cubes/orders.yml', line: 3 });
    const text = `1 MAIN p │ ${long}\n2 MAIN p │ model/cubes/orders.yml:3`;
    expect(view.done).toEqual([
      ['save', `${text}\n`],
      ['copy', text],
      ['open', { type: 'open', path: 'model/cubes/orders.yml', line: 3 }],
    ]);
    await view.feed.receive({ type: 'nonsense' });
    expect(view.done).toHaveLength(3);
  });

  it('begins at the time that the user chose', async () => {
    const asked: (string | undefined)[] = [];
    const view = open(
      async function* ({ from }) {
        asked.push(from);
        yield await Promise.resolve([row(1, 'one')]);
      },
      undefined,
      '2026-01-02',
    );
    const running = view.feed.run();
    await expect.poll(() => asked[0]).toBe('2026-01-02');
    view.feed.dispose();
    await view.clock.run(running);
  });

  it('says each refusal of the platform and continues with Retry, keeping its lines', async () => {
    const { client, platform } = await openDesk();
    const ask: AskLog = async function* (_, signal) {
      await client.open(
        getLogs,
        { params: { deploymentId: '1' }, query: { source: 'dev', container: 'MAIN' } },
        { signal },
      );
      yield [row(1, 'one')];
    };
    const view = open(ask);
    for (const { status, says } of refusals) {
      platform.control.faults([
        { kind: 'status', status, path: 'logs', ...(status === 429 ? { retryAfter: 600 } : {}) },
      ]);
      await view.clock.run(view.feed.run());
      expect([view.state()?.phase, view.state()?.message]).toEqual(['failed', expect.stringMatching(says)]);
    }
    platform.control.faults([]);
    await view.tell({ type: 'retry' });
    await until(view, ({ phase, to }) => phase === 'following' && to > 0);
    platform.control.faults([{ kind: 'status', status: 403, path: 'logs' }]);
    await until(view, ({ phase }) => phase === 'failed');
    platform.control.faults([]);
    await view.tell({ type: 'retry' });
    await until(view, ({ phase }) => phase === 'following');
    expect(await view.texts()).toEqual(['one']);
    view.feed.dispose();
  });
});
