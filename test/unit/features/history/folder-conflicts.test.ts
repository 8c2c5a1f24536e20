import { describe, expect, it } from 'vitest';
import type { BegunMerge } from '#features/folders/begun-merges.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { type ConflictEditor, FolderConflicts } from '#features/history/folder-conflicts.ts';
import { runDirectly } from '#support/operations.ts';

const path = 'model/orders.yml';
const file = { folderId: 'file:///one', path };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const both = { path, local: 'l', remote: 'r', eolOnly: false };

interface Scene {
  readonly conflict?: Partial<typeof both> | { readonly local: undefined } | undefined;
  readonly begun?: BegunMerge;
  /** What the conflict is after the folder was compared again. */
  readonly later?: Partial<typeof both>;
  readonly status?: string;
  readonly editor?: Partial<ConflictEditor>;
  readonly versions?: {
    readonly base?: Uint8Array | undefined;
    readonly theirs?: Uint8Array | undefined;
    readonly mine?: Uint8Array;
  };
}

function scene({ conflict = {}, begun, later, status = 'done', editor, versions }: Scene = {}) {
  const contents = { base: bytes('base'), theirs: bytes('theirs'), mine: bytes('local'), ...versions };
  const state = { conflicts: [{ ...both, ...conflict }] as unknown[] };
  const sent: unknown[] = [];
  const merges: (BegunMerge | undefined)[] = [begun];
  const sync = {
    status: { value: state },
    baseContent: async () => contents.base,
    remoteContent: async () => contents.theirs,
    plan: async () => void (later && (state.conflicts = [{ ...both, ...later }])),
    resolve: async (_path: string, version: 'mine' | 'theirs' | { readonly merged: Uint8Array }) => {
      sent.push(
        typeof version === 'string' ? version : new TextDecoder('utf-8', { ignoreBOM: true }).decode(version.merged),
      );
      if (status === 'done') state.conflicts = [];
      return { status, message: 'It was refused.', trashed: ['t1'] };
    },
  };
  const session = { folder: { folderId: file.folderId }, target: {}, sync } as unknown as SyncSession;
  const conflicts = new FolderConflicts({
    syncs: { ofFolder: (folderId) => (folderId === file.folderId ? session : undefined) },
    merges: {
      of: () => merges.at(-1),
      keep: async (_file, merge) => void merges.push(merge),
      end: async () => void merges.push(undefined),
    },
    operations: runDirectly(),
    editor: {
      mayUpload: async () => true,
      textOf: async () => 'local',
      bytesOf: async () => contents.mine,
      finished: async () => bytes('merged'),
      askLocalVersion: async () => undefined,
      ...editor,
    },
  });
  return { conflicts, sent, merges };
}

const half: BegunMerge = { mine: 'before', remote: 'r' };

describe('FolderConflicts', () => {
  it.each([
    [{}, { kind: 'merge', remote: 'r', base: 'base', theirs: 'theirs', inStep: false }],
    [{ local: undefined }, { kind: 'difference' }],
    [{ eolOnly: true }, { kind: 'lineEndings' }],
  ])('opens a conflict with %j', async (conflict, opening) => {
    expect(await scene({ conflict }).conflicts.open(file)).toEqual(opening);
  });

  it.each([
    ['the platform’s version has NUL', { theirs: Uint8Array.of(0x61, 0) }],
    ['the platform’s version was not sent', { theirs: undefined }],
    ['the local version is not UTF-8', { mine: Uint8Array.of(0xe9) }],
  ])('shows a difference where %s', async (_what, versions) => {
    expect(await scene({ versions }).conflicts.open(file)).toEqual({ kind: 'difference' });
  });

  it.each([
    ['no version was agreed on', undefined],
    ['the version that was agreed on is not text', Uint8Array.of(0xe9)],
  ])('begins with what both versions have where %s', async (_what, base) => {
    const opening = await scene({ versions: { base } }).conflicts.open(file);
    const made = opening.kind === 'merge' && typeof opening.base === 'function' && opening.base('a\nb\n', 'a\nc\n');
    expect(made).toBe('a\n<<<<<<< Choose a version of these lines\n');
  });

  it('says that a file is no longer in conflict, and what a folder without sync lacks', async () => {
    const { conflicts } = scene({ conflict: { path: 'model/other.yml' } });
    await expect(conflicts.open(file)).rejects.toThrow('“orders.yml” is no longer in conflict.');
    await expect(conflicts.open({ ...file, folderId: 'file:///two' })).rejects.toThrow(/not in sync/);
  });

  it.each(['mine', 'theirs'] as const)(
    'takes %s, and reports what is left and what is in the trash',
    async (choice) => {
      const { conflicts, sent } = scene();
      expect(await conflicts.resolve(file, choice)).toEqual({ rest: 'no conflicts left', trashed: ['t1'] });
      expect(sent).toEqual([choice]);
    },
  );

  it.each([
    ['beforeMerge', ['before']],
    ['now', ['mine']],
    [undefined, []],
  ] as const)('asks for the local version of a half finished merge: %s', async (answer, versions) => {
    const { conflicts, sent } = scene({ begun: half, editor: { askLocalVersion: async () => answer } });
    await conflicts.resolve(file, 'mine');
    expect(sent).toEqual(versions);
  });

  it('keeps the byte order mark of a file whose version before the merge is chosen', async () => {
    const editor: Partial<ConflictEditor> = {
      askLocalVersion: async () => 'beforeMerge',
      bytesOf: async () => bytes('\uFEFFlocal'),
    };
    const { conflicts, sent } = scene({ begun: half, editor });
    await conflicts.resolve(file, 'mine');
    expect(sent).toEqual(['\uFEFFbefore']);
  });

  it('sends a merged file, but not over a version that came since the merge began', async () => {
    const finished = scene({ begun: half });
    await finished.conflicts.resolve(file, 'merged');
    expect(finished.sent).toEqual(['merged']);
    const late = scene({ begun: half, later: { remote: 'r2' } });
    await expect(late.conflicts.resolve(file, 'merged')).rejects.toThrow(/changed on the platform again/);
    expect(late.sent).toEqual([]);
  });

  it('asks before it uploads, which taking theirs does not', async () => {
    const editor = { mayUpload: async () => false };
    const { conflicts, sent } = scene({ editor });
    expect(await conflicts.resolve(file, 'mine')).toBeUndefined();
    await conflicts.resolve(file, 'theirs');
    expect(sent).toEqual(['theirs']);
  });

  it('continues a merge whose version was refused', async () => {
    const { conflicts, merges } = scene({ begun: half, status: 'refused' });
    await expect(conflicts.resolve(file, 'merged')).rejects.toThrow('It was refused.');
    expect(merges.at(-1)).toEqual(half);
  });
});
