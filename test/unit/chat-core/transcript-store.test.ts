import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { silentLogger } from '#base/log.ts';
import { unnamedNote } from '#chat-core/problem.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, emptyThread } from '#chat-core/thread.ts';
import { TranscriptStore } from '#chat-core/transcript-store.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';

const message = (id: string, text: string, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  text,
  thinking: '',
  graphPath: ['final'],
  isInProcess: false,
  revision: 0,
  ...more,
});
const turn = (id: string, more: Partial<ChatTurn> = {}): ChatTurn => ({
  id,
  prompt: 'How many?',
  branch: { name: 'dev-1', isDefault: false },
  phase: 'complete',
  startedAt: Number.parseInt(id, 10),
  messages: KeyedList.of([message(`${id}-a`, 'Seven')]),
  ...more,
});
const thread = (turns: readonly ChatTurn[], more: Partial<ChatThread> = {}): ChatThread => ({
  ...emptyThread('k', 'scope', 1),
  title: 'How many?',
  turns,
  ...more,
});

async function reread(files: MemoryFiles): Promise<ChatThread | undefined> {
  return new TranscriptStore(files, silentLogger).load('k');
}

describe('TranscriptStore', () => {
  it('reads back what was saved in any number of steps', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const turns = fc.uniqueArray(
      fc.record({ id: fc.nat(20), answers: fc.array(fc.tuple(fc.nat(3), text), { maxLength: 4 }) }),
      { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(turns, async (plan) => {
        const files = new MemoryFiles();
        const store = new TranscriptStore(files, silentLogger);
        let now = thread([]);
        for (const { id, answers } of plan.toSorted((a, b) => a.id - b.id)) {
          now = { ...now, turns: [...now.turns, turn(String(id), { messages: KeyedList.of<ChatMessage>([]) })] };
          await store.save(now);
          for (const [at, words] of answers) {
            const last = now.turns.at(-1) as ChatTurn;
            const others = last.messages.toArray().filter((other) => other.id !== `m${at}`);
            now = {
              ...now,
              turns: now.turns.with(now.turns.length - 1, {
                ...last,
                messages: KeyedList.of([...others, message(`m${at}`, words)]),
              }),
            };
            await store.save(now);
          }
        }
        const read = await reread(files);
        expect(read?.turns.map(({ id }) => id)).toEqual(now.turns.map(({ id }) => id));
        const texts = (from: ChatThread | undefined): unknown =>
          from?.turns.map(({ messages }) =>
            Object.fromEntries(messages.toArray().map(({ id, text: words }) => [id, words])),
          );
        expect(texts(read)).toEqual(texts(now));
      }),
    );
  });

  // @shows chat-complaint-3
  it('appends: a save writes only what changed', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    const first = thread([turn('1')]);
    await store.save(first);
    const size = files.content.get('thread-k.jsonl')?.length ?? 0;
    await store.save({ ...first, turns: [...first.turns, turn('2', { messages: KeyedList.of<ChatMessage>([]) })] });
    const added = files.content.get('thread-k.jsonl')?.slice(size) ?? '';
    expect(added.trim().split('\n')).toHaveLength(1);
    expect(added).toContain('"id":"2"');
  });

  // @shows chat-complaint-4
  it('survives a torn last line and lines of a later version', async () => {
    const files = new MemoryFiles();
    await new TranscriptStore(files, silentLogger).save(thread([turn('1')]));
    await files.append('thread-k.jsonl', '{"kind":"mood","value":1}\n{"kind":"message","turn":"1","id":"x","te');
    expect((await reread(files))?.turns).toEqual([turn('1')]);
  });

  // @shows chat-complaint-4
  it('begins after a torn line on a line of its own, also after a write that failed', async () => {
    const files = new MemoryFiles();
    await new TranscriptStore(files, silentLogger).save(thread([turn('1')]));
    await files.append('thread-k.jsonl', '{"kind":"message","turn":"1","id":"x","te');
    const store = new TranscriptStore(files, silentLogger);
    await store.load('k');
    await store.save(thread([turn('1'), turn('2')]));
    expect((await reread(files))?.turns).toEqual([turn('1'), turn('2')]);

    const append = files.append.bind(files);
    files.append = async (name, text) => {
      await append(name, text.slice(0, text.length / 2));
      throw new Error('The disk is full.');
    };
    await store.save(thread([turn('1'), turn('2'), turn('3')]));
    files.append = append;
    await store.save(thread([turn('1'), turn('2'), turn('3'), turn('4')]));
    expect((await reread(files))?.turns).toEqual(['1', '2', '3', '4'].map((id) => turn(id)));
  });

  it('removes no question of another window that was read and not adopted', async () => {
    const question = { id: '2-message', prompt: 'And why?', isHeld: true };
    const files = new MemoryFiles();
    const [one, two] = [new TranscriptStore(files, silentLogger), new TranscriptStore(files, silentLogger)];
    await one.save(thread([turn('1')]));
    await two.load('k');
    await one.save(thread([turn('1')], { queued: [question] }));
    expect(await two.load('k', () => false)).toEqual(thread([turn('1')], { queued: [question] }));
    await two.save(thread([turn('1'), turn('3')]));
    expect(await reread(files)).toEqual(thread([turn('1'), turn('3')], { queued: [question] }));
  });

  it('reads a thread after the writes that are on their way', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    const saved = store.save(thread([turn('1')]));
    expect(await store.load('k')).toEqual(thread([turn('1')]));
    await saved;
  });

  it('knows what another window has removed, and writes it as a whole when it continues here', async () => {
    const files = new MemoryFiles();
    const [one, two] = [new TranscriptStore(files, silentLogger), new TranscriptStore(files, silentLogger)];
    await one.save(thread([turn('1')]));
    expect(await one.removedElsewhere()).toEqual([]);
    const look = Promise.withResolvers<readonly string[]>();
    const names = files.names.bind(files);
    files.names = () => look.promise;
    const looking = one.removedElsewhere();
    files.names = names;
    await one.save(thread([turn('1')], { key: 'late' }));
    look.resolve(['thread-k.jsonl']);
    expect(await looking).toEqual([]);
    await one.remove('late');
    await two.remove('k');
    expect(await one.removedElsewhere()).toEqual(['k']);
    await one.save(thread([turn('1'), turn('2')]));
    expect((await reread(files))?.turns).toEqual([turn('1'), turn('2')]);
    expect(await one.removedElsewhere()).toEqual([]);
  });

  it('keeps the order of the messages of a turn, of which later ones were finished first', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    const [thought, tool] = [message('thought', 'I look', { isInProcess: true }), message('tool', '')];
    const running = turn('1', { phase: 'streaming', messages: KeyedList.of([thought, tool]) });
    await store.save(thread([running]));
    await store.save(thread([{ ...running, phase: 'stopping' }]));
    await store.save(thread([{ ...running, phase: 'stopped' }]));
    const read = await reread(files);
    expect(read?.turns[0]?.messages.toArray().map(({ id }) => id)).toEqual(['thought', 'tool']);
  });

  it('marks a running turn as interrupted and one that was being stopped as stopped', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    await store.save(
      thread([
        turn('1', { phase: 'stopping' }),
        turn('2', { phase: 'streaming', messages: KeyedList.of<ChatMessage>([]) }),
      ]),
    );
    expect((await reread(files))?.turns.map(({ phase }) => phase)).toEqual(['stopped', 'interrupted']);
  });

  it('never calls a stop confirmed that was not when the window closed', async () => {
    const files = new MemoryFiles();
    await new TranscriptStore(files, silentLogger).save(
      thread([
        turn('1', { phase: 'stopping' }),
        turn('2', { phase: 'stopped', note: unnamedNote }),
        turn('3', { phase: 'stopped' }),
      ]),
    );
    const [stopping, unnamed, confirmed] = (await reread(files))?.turns ?? [];
    expect(stopping?.note).toMatch(/closed before the platform confirmed the stop; the answer may still be running/);
    // Nobody is left who would stop it once it is named.
    expect(unnamed?.note).toMatch(/may still be running/);
    expect(unnamed?.note).not.toMatch(/stopped as soon as/);
    expect(confirmed?.note).toBeUndefined();
  });

  it('keeps what is learnt of a stop after the turn has ended', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    const stopped = thread([turn('1', { phase: 'stopped', note: unnamedNote })]);
    await store.save(stopped);
    await store.save({ ...stopped, turns: [{ ...(stopped.turns[0] as ChatTurn), note: undefined }] });
    expect((await reread(files))?.turns[0]?.note).toBeUndefined();
  });

  it('lists latest first, keeps what another window added, and forgets what is removed', async () => {
    const files = new MemoryFiles();
    const [one, two] = [new TranscriptStore(files, silentLogger), new TranscriptStore(files, silentLogger)];
    await one.save(thread([turn('1')], { updatedAt: 5 }));
    await two.save(thread([turn('1')], { key: 'other', updatedAt: 9 }));
    await one.save(thread([turn('1'), turn('2')], { updatedAt: 7 }));
    expect((await one.list()).map(({ key, turns }) => [key, turns])).toEqual([
      ['other', 1],
      ['k', 2],
    ]);
    await one.remove('k');
    expect((await two.list()).map(({ key }) => key)).toEqual(['other']);
    expect(files.content.has('thread-k.jsonl')).toBe(false);
  });

  // @shows chat-complaint-4
  it('finds threads that the index has lost', async () => {
    const files = new MemoryFiles();
    const store = new TranscriptStore(files, silentLogger);
    await store.save(thread([turn('1')], { updatedAt: 5 }));
    await files.replace('index.json', '[]');
    await store.save(thread([turn('1')], { key: 'other', updatedAt: 9 }));
    expect((await store.list()).map(({ key }) => key)).toEqual(['other', 'k']);
    files.content.delete('thread-k.jsonl');
    expect((await store.list()).map(({ key }) => key)).toEqual(['other']);
  });

  it('reads a damaged index as far as it can', async () => {
    const files = new MemoryFiles();
    await files.append('thread-a.jsonl', '');
    await files.replace(
      'index.json',
      '[{"key":1},{"key":"a","scope":"s","title":"t","createdAt":1,"updatedAt":1,"turns":1}]',
    );
    expect(await new TranscriptStore(files, silentLogger).list()).toMatchObject([{ key: 'a' }]);
    await files.replace('index.json', '[{');
    expect(await new TranscriptStore(files, silentLogger).list()).toEqual([]);
  });
});
