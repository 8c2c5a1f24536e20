import { describe, expect, it } from 'vitest';
import { type LinkedFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { writerOf } from '#sync/core/context.ts';
import type { RemoteWriter, SyncPorts } from '#sync/core/ports.ts';

const COUNT = 510;
const fileAt = (at: number): string => `model/many/cube_${at}.yml`;

/** A folder with many files that the platform has not, or has in another version. */
async function linkMany(ports?: (ports: SyncPorts) => SyncPorts): Promise<LinkedFolder> {
  const linked = await pulledFolder({ ports });
  linked.wire.sent.length = 0;
  writeMany(linked, 'first');
  return linked;
}

function writeMany(linked: LinkedFolder, version: string): void {
  for (let at = 0; at < COUNT; at++) linked.write(fileAt(at), `# ${version} ${at}\n`);
}

/** The same platform, without a sign that it ties writes to conditions. */
function withoutConditions(ports: SyncPorts): SyncPorts {
  const writer = writerOf(ports);
  if (!writer) throw new Error('There is nothing to write to.');
  const remote: RemoteWriter = {
    branch: writer.branch,
    transactionOnly: false,
    honoursPreconditions: false,
    list: (...args) => writer.list(...args),
    read: (...args) => writer.read(...args),
    put: (...args) => writer.put(...args),
    remove: (...args) => writer.remove(...args),
    rename: (...args) => writer.rename(...args),
    canPut: (bytes) => writer.canPut(bytes),
    startUpload: (...args) => writer.startUpload(...args),
    resumeUpload: (id) => writer.resumeUpload(id),
  };
  return { ...ports, remote };
}

const puts = (linked: LinkedFolder): number => linked.wire.sent.filter((sent) => sent === 'PUT files').length;

describe('a push of hundreds of files', () => {
  it('goes in conditional requests of many files each', async () => {
    const linked = await linkMany();
    const outcome = await linked.sync.push(await linked.sync.plan(), 'all');
    expect(outcome).toMatchObject({ status: 'done', failed: [], changed: [] });
    expect(outcome.applied).toHaveLength(COUNT);
    // One file alone asks whether conditions are honoured, then 200 each.
    expect(puts(linked)).toBe(1 + 3);
    expect(linked.wire.sent.filter((sent) => sent.includes('upload'))).toEqual([]);
    // Each changed file has its condition, so fewer fit into a request.
    writeMany(linked, 'second');
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(puts(linked)).toBe(4 + Math.ceil(COUNT / 80));
    expect(await linked.remote(fileAt(509))).toBe('# second 509\n');
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('continues in an upload transaction where the platform ties nothing to conditions', async () => {
    const linked = await linkMany(withoutConditions);
    expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done', failed: [] });
    expect(puts(linked)).toBe(1);
    expect(linked.wire.sent).toContain('POST upload/finish');
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('leaves alone what a colleague changed in the middle of it, and sends the rest', async () => {
    const linked = await linkMany();
    await linked.sync.push(await linked.sync.plan(), 'all');
    writeMany(linked, 'mine');
    const plan = await linked.sync.plan();
    let seen = 0;
    linked.wire.meanwhile = async ({ method }) => {
      if (method === 'PUT' && ++seen === 3) await linked.colleague({ [fileAt(500)]: '# theirs\n' });
    };
    const outcome = await linked.sync.push(plan, 'all');
    expect(outcome).toMatchObject({ status: 'partial', changed: [fileAt(500)], failed: [] });
    expect(outcome.applied).toHaveLength(COUNT - 1);
    expect(await linked.remote(fileAt(500))).toBe('# theirs\n');
    expect((await linked.sync.plan()).entries).toMatchObject([{ kind: 'conflict', path: fileAt(500) }]);
  });

  it('can be cancelled between requests: each side is whole, and the next push sends what is left', async () => {
    const linked = await linkMany();
    await linked.sync.push(await linked.sync.plan(), 'all');
    writeMany(linked, 'second');
    const cancelled = new AbortController();
    const outcome = await linked.sync.push(await linked.sync.plan(), 'all', {
      signal: cancelled.signal,
      onProgress: ({ done }) => {
        if (done === 80) cancelled.abort();
      },
    });
    expect(outcome.status).toBe('cancelled');
    expect(outcome.applied.length).toBeGreaterThanOrEqual(80);
    expect(outcome.applied.length).toBeLessThan(COUNT);
    const rest = await linked.sync.plan();
    expect(rest.entries).toHaveLength(COUNT - outcome.applied.length);
    expect(rest.entries.every(({ kind }) => kind === 'upload')).toBe(true);
    for (const { path } of outcome.applied) expect(await linked.remote(path)).toBe(linked.read(path));
    expect(await linked.sync.push(rest, 'all')).toMatchObject({ status: 'done' });
    expect((await linked.sync.plan()).entries).toEqual([]);
  });
});
