import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asNobody } from '#support/sync/as-nobody.ts';
import { hasFeature, newFolder } from '#support/sync/test-disk.ts';
import { Disk } from '#sync/disk/disk.ts';
import { nodeCalls, syncFileSystem } from '#sync/disk/disk-calls.ts';

describe('syncing a whole file system', () => {
  it('happens where the system can, and is not claimed where the system cannot', async () => {
    expect(await syncFileSystem(tmpdir())).toBe(process.platform === 'linux');
    expect(await syncFileSystem(tmpdir(), '/no/such/program')).toBe(false);
    expect(await syncFileSystem('/no/such/folder')).toBe(false);
  });
});

describe('a disk without hard links', () => {
  it('places a read-only file for a user to whom permissions apply', async () => {
    if (!hasFeature('permissions')) return;
    const folder = newFolder('sync-no-links-');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o777);
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    const refused = Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    const disk = new Disk({ ...nodeCalls, link: async () => Promise.reject(refused) });
    await asNobody(async () => {
      writeFileSync(from, 'text', { mode: 0o444 });
      expect(await disk.place(from, to)).toBe(true);
      expect(await disk.place(from, to)).toBe(false);
    });
    expect([readFileSync(to, 'utf8'), statSync(to).mode & 0o777]).toEqual(['text', 0o444]);
  });
});
