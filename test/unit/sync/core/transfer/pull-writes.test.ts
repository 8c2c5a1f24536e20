import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFaultDesk } from '#support/sync/fault-desk.ts';
import { linkFolder } from '#support/sync/linked-folder.ts';
import type { SyncPorts } from '#sync/core/ports.ts';

const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`model/many/f${at}.yml`, `# ${at}\n`] as const));

/** The ports with another way of doing some calls of one of them. */
function replaced<P extends object>(port: P, calls: Partial<P>): P {
  return new Proxy(port, {
    get: (of, key) => {
      const value: unknown = Reflect.get(key in calls ? calls : of, key, of);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
}

describe('a pull', () => {
  it('writes what arrived while the rest of the branch is still to come', async () => {
    const isWritten = Promise.withResolvers<void>();
    const ports = (all: SyncPorts): SyncPorts => ({
      ...all,
      remote: replaced(all.remote, {
        read: async function* (paths, signal) {
          for await (const file of all.remote.read(paths, signal)) {
            yield file;
            await isWritten.promise;
          }
        },
      }),
      files: replaced(all.files, {
        stage: async (...args) => {
          const staged = await all.files.stage(...args);
          isWritten.resolve();
          return staged;
        },
      }),
    });
    const linked = await linkFolder({ ports });
    await linked.colleague(many(3));
    await linked.pullAll();
    expect(linked.read('model/many/f2.yml')).toBe('# 2\n');
  });

  it('never writes more than eight files at a time', async () => {
    let now = 0;
    let most = 0;
    const ports = (all: SyncPorts): SyncPorts => ({
      ...all,
      files: replaced(all.files, {
        stage: async (...args) => {
          now += 1;
          most = Math.max(most, now);
          try {
            return await all.files.stage(...args);
          } finally {
            now -= 1;
          }
        },
      }),
    });
    const linked = await linkFolder({ ports });
    await linked.colleague(many(24));
    await linked.pullAll();
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    expect(linked.files()).toEqual(expect.arrayContaining(Object.keys(many(24))));
  });

  it('leaves nothing behind when it is cancelled while files are written', async () => {
    const stop = new AbortController();
    let staged = 0;
    const ports = (all: SyncPorts): SyncPorts => ({
      ...all,
      files: replaced(all.files, {
        stage: async (...args) => {
          const file = await all.files.stage(...args);
          if (++staged === 5) stop.abort();
          return file;
        },
      }),
    });
    const linked = await linkFolder({ ports });
    await linked.colleague(many(40));
    const plan = await linked.sync.plan();
    expect(await linked.sync.pull(plan, 'all', { signal: stop.signal })).toMatchObject({ status: 'cancelled' });
    expect(staged).toBeGreaterThanOrEqual(5);
    const names = readdirSync(linked.root, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.includes('.modelbench-'))).toEqual([]);
  });

  it('flushes the bytes of a file once, before it takes its place, and the folder after it', async () => {
    const flushes: string[] = [];
    const desk = openFaultDesk(many(3), {
      calls: (calls) => ({
        ...calls,
        link: (from, to) => {
          if (to.includes('/many')) flushes.push(`${path.basename(to)} takes its place`);
          return calls.link(from, to);
        },
        open: async (file, flags, mode) => {
          const opened = await calls.open(file, flags, mode);
          const sync = (): Promise<void> => {
            if (file.includes('/many')) flushes.push(file.endsWith('.tmp') ? 'bytes' : path.basename(file));
            return opened.sync();
          };
          return { ...opened, sync };
        },
      }),
    });
    expect(await desk.sync.pull(await desk.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(flushes.slice(0, 3)).toEqual(['bytes', 'bytes', 'bytes']);
    expect(flushes.slice(3, 6).toSorted()).toEqual([0, 1, 2].map((at) => `f${at}.yml takes its place`));
    expect(flushes.slice(6)).toEqual(['many']);
  });
});
