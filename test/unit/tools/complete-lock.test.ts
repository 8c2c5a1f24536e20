import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completed, type LockFile, missingEntries } from '../../tools/complete-lock.ts';
import { root } from '../../tools/run.ts';

const lock: LockFile = {
  packages: {
    '': {},
    'node_modules/tool': {
      version: '2.0.0',
      dev: true,
      optionalDependencies: {
        '@tool/binding-darwin-arm64': '2.0.0',
        '@tool/binding-linux-x64-gnu': '2.0.0',
        '@tool/binding-linux-x64-musl': '2.0.0',
      },
    },
    'node_modules/@tool/binding-linux-x64-gnu': { version: '2.0.0', dev: true, optional: true },
  },
};

describe('completing a lock file', () => {
  it('adds the packages of other systems with what npm checks before it installs one', () => {
    expect(missingEntries(lock)).toEqual({
      'node_modules/@tool/binding-darwin-arm64': {
        version: '2.0.0',
        cpu: ['arm64'],
        dev: true,
        optional: true,
        os: ['darwin'],
      },
      'node_modules/@tool/binding-linux-x64-musl': {
        version: '2.0.0',
        cpu: ['x64'],
        dev: true,
        libc: ['musl'],
        optional: true,
        os: ['linux'],
      },
    });
  });

  it('leaves nothing missing and keeps what was there', () => {
    const done = completed(lock);
    expect(missingEntries(done)).toEqual({});
    expect(done.packages).toMatchObject(lock.packages);
  });

  it('refuses a package that does not say its system', () => {
    const packages = { 'node_modules/tool': { optionalDependencies: { extra: '1.0.0' } } };
    expect(() => missingEntries({ packages })).toThrow('extra does not say which system it is for');
  });

  it.each(['package-lock.json', 'test/tools/vscode-server/package-lock.json'])('has nothing to add to %s', (path) => {
    const own = JSON.parse(readFileSync(join(root, path), 'utf8')) as LockFile;
    expect(missingEntries(own)).toEqual({});
  });
});
