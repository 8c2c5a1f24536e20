import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { syncFileSystem } from '#sync/disk/disk-calls.ts';

describe('syncing a whole file system', () => {
  it('happens where the system can, and is not claimed where the system cannot', async () => {
    expect(await syncFileSystem(tmpdir())).toBe(process.platform === 'linux');
    expect(await syncFileSystem(tmpdir(), '/no/such/program')).toBe(false);
    expect(await syncFileSystem('/no/such/folder')).toBe(false);
  });
});
