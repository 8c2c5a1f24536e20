import { describe, expect, it } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { TargetState } from '#chat-core/ports.ts';
import { ChatService } from '#chat-core/service.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { RecordedTransport } from '#support/chat/recorded-transport.ts';
import { ManualClock } from '#support/manual-clock.ts';

function setUp(files = new MemoryFiles()) {
  const clock = new ManualClock();
  const transport = new RecordedTransport();
  const target = new Store<TargetState>({ kind: 'ready', target: { scope: 'shop', label: 'Shop', transport } });
  const newKey = (): string => crypto.randomUUID();
  const service = new ChatService({ target, files, clock, random: () => 0.5, newKey, logger: silentLogger });
  const ask = async (question: string, answer: string): Promise<string> => {
    transport.answer([
      { id: '__cutoff__', state: { chatId: question } },
      { id: 'a', role: 'assistant', content: answer, graphPath: ['final'] },
      { id: '__state__', state: {} },
    ]);
    const { key } = service.create();
    service.send(key, question);
    await clock.advance(100);
    await service.flush();
    return key;
  };
  return { clock, service, ask, files };
}

describe('searching threads', () => {
  it('finds words of questions and answers, also in threads that no window has open', async () => {
    const { ask, files } = setUp();
    const orders = await ask('How many orders?', 'There were **46** orders in\nJanuary.');
    await ask('Which customers?', 'All of them.');
    const { service } = setUp(files);
    await service.refresh();
    expect(await service.search('january')).toEqual([{ key: orders, excerpt: 'There were **46** orders in January.' }]);
    expect(await service.search('MANY orders')).toEqual([{ key: orders, excerpt: 'How many orders?' }]);
    expect(await service.search('nothing like it')).toEqual([]);
    expect(await service.search('  ')).toEqual([]);
  });

  it('shows only the words around what was found', async () => {
    const { ask, service } = setUp();
    const key = await ask('Q', `${'before '.repeat(20)}needle${' after'.repeat(20)}`);
    const [found] = await service.search('needle');
    expect(found?.key).toBe(key);
    expect(found?.excerpt).toMatch(/^….{30,40}needle.{30,40}…$/);
  });
});

describe('removing threads', () => {
  it('removes all of them with their files', async () => {
    const { ask, service, files } = setUp();
    await ask('One?', '1');
    await ask('Two?', '2');
    // A window that was opened later has read neither of them.
    const later = setUp(files).service;
    await later.removeAll();
    await service.refresh();
    expect([service.threads.value, later.threads.value]).toEqual([[], []]);
    expect((await files.names()).filter((name) => name.startsWith('thread-'))).toEqual([]);
  });

  it('removes those in which nothing happened since a time, and keeps the others', async () => {
    const { ask, service, clock } = setUp();
    await ask('Old?', '1');
    await clock.advance(10_000);
    const since = clock.now();
    const kept = await ask('New?', '2');
    await service.removeOlder(since);
    expect(service.threads.value.map(({ key }) => key)).toEqual([kept]);
  });
});
