import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskFiles } from '#features/chat/vscode/disk-files.ts';

describe('diskFiles', () => {
  it('reads, appends, replaces and removes, and leaves nothing behind', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'chat-files-')), 'chat');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    const files = diskFiles(folder);
    expect(await files.read('a')).toBeUndefined();
    expect(await files.names()).toEqual([]);
    await files.append('a', 'one\n');
    await files.append('a', 'two\n');
    expect(await files.read('a')).toBe('one\ntwo\n');
    await files.replace('a', 'new');
    expect(await files.read('a')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a']);
    expect(await files.names()).toEqual(['a']);
    expect(statSync(join(folder, 'a')).mode & 0o077).toBe(0);
    await files.remove('a');
    await files.remove('a');
    expect(readdirSync(folder)).toEqual([]);
  });
});
