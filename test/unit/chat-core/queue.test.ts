import { describe, expect, it } from 'vitest';
import { ScriptedServer } from '#support/chat/scripted-server.ts';
import { main, platform, script, setUp } from '#support/chat/service-desk.ts';

describe('a question that waits', () => {
  it('sends a question that was asked during an answer when the answer has ended', async () => {
    const good = platform();
    const { service, clock, files } = setUp(good);
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    service.queue(key, 'Third');
    expect(service.unqueue(key, 1)).toBe('Third');
    await service.flush();
    expect((await setUp(good, files).service.open(key))?.queued).toEqual([{ prompt: 'Second', isHeld: false }]);
    await clock.advance(0);
    await clock.advance(0);
    expect(service.get(key)?.turns.map(({ prompt, phase }) => [prompt, phase])).toEqual([
      ['First', 'complete'],
      ['Second', 'complete'],
    ]);
    expect(service.get(key)?.queued).toEqual([]);
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
    expect(service.get(key)?.queued).toEqual([{ prompt: 'Before the stop', isHeld: true }]);
    expect(service.sendQueued(key, 0).ok).toBe(true);
    expect(service.sendQueued(key, 0)).toEqual({ ok: false, error: { kind: 'empty' } });
  });

  it('keeps a waiting question that is refused, because the branch has changed meanwhile', async () => {
    const { service, clock, target, ready } = setUp(platform());
    const { key } = service.create();
    service.send(key, 'First');
    service.queue(key, 'Second');
    target.set(ready({ branch: main }));
    await clock.advance(0);
    expect(service.get(key)?.turns).toHaveLength(1);
    expect(service.get(key)?.queued).toMatchObject([{ prompt: 'Second' }]);
    expect(service.sendQueued(key, 0, { acceptBranch: true }).ok).toBe(true);
  });
});
