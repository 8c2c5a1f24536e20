import { describe, expect, it } from 'vitest';
import { openFaultDesk } from '#support/sync/fault-desk.ts';
import { STORAGE } from '#support/sync/simulated-ports.ts';

const A = 'model/a.yml';

describe('two windows of one folder', () => {
  it('have one writer, also after a window stood still and another one took its lock', async () => {
    const desk = openFaultDesk({ [A]: 'a' });
    const first = desk.sync;
    await first.pull(await first.plan(), 'all');
    // What a window does that finds the lock silent for too long.
    desk.disk.remove(`${STORAGE}/lock`);
    const second = desk.open();
    desk.write(A, 'mine');
    expect(await second.push(await second.plan(), 'all')).toMatchObject({ status: 'done' });
    // The user takes the change back. By what the first window last knew, the platform changed the file.
    desk.write(A, 'a');
    const plan = await first.plan();
    expect(plan.entries).toMatchObject([{ kind: 'upload', path: A }]);
    expect(first.status.value.state.kind).toBe('readOnly');
    expect(await first.push(plan, 'all')).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('Another window') as string,
    });
    expect(desk.files()).toEqual({ [A]: 'a' });
    await second.close();
    expect(await first.push(await first.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(desk.platform.files.get(A)).toBe('a');
    await first.close();
  });

  it('open once when everything asks at the moment in which the lock is lost', async () => {
    let loads = 0;
    const desk = openFaultDesk(
      { [A]: 'a' },
      {
        ports: (ports) => ({
          ...ports,
          base: {
            load: async () => {
              loads += 1;
              return ports.base.load();
            },
            save: async (snapshot) => ports.base.save(snapshot),
          },
        }),
      },
    );
    await desk.sync.pull(await desk.sync.plan(), 'all');
    desk.disk.remove(`${STORAGE}/lock`);
    loads = 0;
    const { sync } = desk;
    await Promise.all([sync.plan(), sync.push(await sync.plan(), 'all'), sync.remoteContent(A), sync.plan()]);
    expect(loads).toBe(1);
    await sync.close();
  });
});
