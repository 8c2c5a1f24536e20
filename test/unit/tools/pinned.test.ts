import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notAsLocked, withoutHash } from '../../tools/pinned.ts';
import { root } from '../../tools/run.ts';

const packagesOf = (file: string): Parameters<typeof withoutHash>[0] =>
  (JSON.parse(readFileSync(join(root, file), 'utf8')) as { readonly packages: Parameters<typeof withoutHash>[0] })
    .packages;

const linux = { os: 'linux', cpu: 'x64' };

describe('packages', () => {
  it.each(['package-lock.json', 'test/tools/vscode-server/package-lock.json'])(
    'have a version with its hash: %s',
    (file) => {
      const packages = packagesOf(file);
      // A package for the other C library of the same system and processor is not installed either.
      const missing = withoutHash(packages, linux).filter((path) => !path.endsWith('-musl'));
      expect(missing).toEqual([]);
      const bare = Object.entries(packages).filter(([path, entry]) => path !== '' && entry.integrity === undefined);
      // What the registry does not have is exact in its version and bound to a system.
      expect(bare.filter(([, { version, os, cpu }]) => !/^\d/.test(version ?? '') || !os || !cpu)).toEqual([]);
    },
  );

  it('need a hash, unless they are for another system', () => {
    const packages = {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0', optional: true },
      'node_modules/d': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] },
      'node_modules/e': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
    };
    expect(withoutHash(packages, linux)).toEqual(['node_modules/b', 'node_modules/c', 'node_modules/e']);
  });

  it('differ where npm installed others than are locked', () => {
    const locked = { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } };
    expect(notAsLocked(locked, locked)).toEqual([]);
    expect(notAsLocked(locked, { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } })).toHaveLength(1);
    expect(notAsLocked(locked, { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } })).toHaveLength(1);
    expect(notAsLocked(locked, { 'node_modules/a': { version: '1.0.0' } })).toHaveLength(1);
    expect(notAsLocked(locked, { 'node_modules/b': { version: '1.0.0', integrity: 'sha512-a' } })).toHaveLength(1);
  });
});
