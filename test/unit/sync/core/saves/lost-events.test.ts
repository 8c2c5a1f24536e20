import { describe, expect, it } from 'vitest';
import { openFaultDesk } from '#support/sync/fault-desk.ts';

const A = 'model/a.yml';

describe('a save whose event', () => {
  it('never comes is found by the next comparison, which each push and pull begins with', async () => {
    const desk = openFaultDesk({ [A]: 'a' });
    const { sync, platform } = desk;
    await sync.pull(await sync.plan(), 'all');
    await sync.plan();
    expect(sync.status.value.state.kind).toBe('inSync');
    desk.write(A, 'mine');
    platform.files.set(A, 'theirs');
    // What was compared before neither overwrites it nor calls it the same.
    expect((await sync.plan()).entries).toMatchObject([{ kind: 'conflict', path: A }]);
    expect(sync.status.value.state.kind).toBe('changes');
    await sync.close();
  });

  it('comes minutes late, twice, or after that of a later save sends what the file is now, once', async () => {
    const desk = openFaultDesk({ [A]: 'a', 'model/b.yml': 'b' });
    const { sync, platform } = desk;
    await sync.pull(await sync.plan(), 'all');
    await sync.plan();
    desk.write(A, 'one');
    desk.write(A, 'two');
    desk.write('model/b.yml', 'later');
    sync.onSaved(['model/b.yml']);
    await sync.flush();
    sync.onSaved([A, A]);
    sync.onSaved([A]);
    await sync.flush();
    sync.onSaved([A, 'model/b.yml']);
    await sync.flush();
    expect(Object.fromEntries(platform.files)).toEqual({ [A]: 'two', 'model/b.yml': 'later' });
    expect((await sync.plan()).entries).toEqual([]);
    expect(sync.status.value).toMatchObject({ waiting: 0, state: { kind: 'inSync' } });
    await sync.close();
  });

  it('comes among thousands, of files that came and went, leaves nothing waiting', async () => {
    const desk = openFaultDesk({ [A]: 'a' });
    const { sync, platform } = desk;
    await sync.pull(await sync.plan(), 'all');
    const gone = Array.from({ length: 10_000 }, (_, at) => `model/generated/${at}.yml`);
    desk.write(A, 'mine');
    expect(desk.disk.has('/home/linked/model/generated')).toBe(false);
    sync.onSaved([...gone, A]);
    await sync.flush();
    await sync.plan();
    expect(platform.files.get(A)).toBe('mine');
    expect(sync.status.value).toMatchObject({ waiting: 0, state: { kind: 'inSync' } });
    await sync.close();
  });
});
