import { describe, expect, it } from 'vitest';
import { BranchDocuments } from '#features/folders/branch-documents.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { BranchTrash } from '#features/folders/branch-trash.ts';
import { EndingPlatform } from '#support/ending-platform.ts';
import { MemoryState } from '#support/memory-state.ts';
import { memoryTrash } from '#support/memory-trash.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const folder = 'model/cubes';
const file = `${folder}/orders.yml`;
const created = `${folder}/new.yml`;
const bytes = new TextEncoder().encode('mine');

type Act = (documents: BranchDocuments) => Promise<void>;

/** What someone else does while the user is asked whether files may be uploaded. */
const meanwhile = {
  'changes the file': (dev: Map<string, string>) => dev.set(file, 'a third'),
  'deletes the file': (dev: Map<string, string>) => dev.delete(file),
  'creates another file': (dev: Map<string, string>) => dev.set(created, 'a third'),
} as const;

const acts: Readonly<Record<string, { readonly act: Act; readonly path: string }>> = {
  'writing it': { path: file, act: async (documents) => documents.write(target, file, bytes) },
  'creating the same': { path: created, act: async (documents) => documents.write(target, created, bytes) },
  'deleting it': { path: file, act: async (documents) => documents.remove(target, file) },
  'deleting its folder': { path: folder, act: async (documents) => documents.remove(target, folder) },
  'renaming it': { path: file, act: async (documents) => documents.rename(target, file, `${folder}/b.yml`) },
  'renaming its folder': { path: folder, act: async (documents) => documents.rename(target, folder, 'model/b') },
};

const cases = Object.entries(acts).flatMap(([name, act]) =>
  Object.entries(meanwhile).map(([change, happen]) => ({ ...act, name, change, happen })),
);

describe('a document of a branch', () => {
  it.each(cases)('keeps what someone else did where $name is asked about and someone $change', async (each) => {
    const platform = new EndingPlatform([]);
    platform.dev.set(file, 'theirs');
    const trash = memoryTrash();
    const { files } = platform.openWindow(new MemoryState(), trash);
    const documents = new BranchDocuments(files, {
      mayWrite: () => true,
      mayUpload: async (branch) => {
        each.happen(platform.dev);
        // A view of the window, or its timer.
        await files.refresh(branch);
        return true;
      },
    });
    await files.list(target);
    const after = new Map([[file, 'theirs']]);
    each.happen(after);
    const refused = await each.act(documents).then(
      () => 'done',
      (error: unknown) => String(error),
    );
    const isTouched = each.path === folder ? each.change !== 'creates another file' : !isSame(each.path, after);
    expect(refused).toMatch(isTouched ? /meanwhile, so it was left alone|is no longer on the branch/ : /^done$/);
    const written = [...after].filter(([, text]) => text === 'a third').map(([path]) => path);
    expect(written.map((path) => platform.dev.get(path))).toEqual(written.map(() => 'a third'));
    expect(trash.items.filter(({ text }) => text === 'a third')).toEqual([]);
  });

  /** Whether the file is as it was when the user acted. */
  function isSame(path: string, after: ReadonlyMap<string, string>): boolean {
    return after.get(path) === (path === file ? 'theirs' : undefined);
  }
});

describe('the deletion of a file', () => {
  it('is not undone over a file that someone creates at that moment', async () => {
    const platform = new EndingPlatform([]);
    platform.dev.set(file, 'mine');
    const trash = memoryTrash();
    const { files } = platform.openWindow(new MemoryState(), trash);
    const id = await files.remove(target, file);
    const kept = new BranchTrash(createdWhile(files, platform), trash.open);
    await expect(kept.undelete(target, { id, path: file })).rejects.toThrow('meanwhile, so it was left alone');
    expect(platform.dev.get(file)).toBe('a third');
  });

  /** Files of a branch on which someone creates the file right after the branch was found without it. */
  function createdWhile(files: BranchFiles, { dev }: EndingPlatform): BranchFiles {
    return new Proxy(files, {
      get: (of, name) => {
        if (name !== 'write') return bound(of, name);
        return async (...given: Parameters<BranchFiles['write']>) => {
          dev.set(file, 'a third');
          await of.refresh(target);
          return of.write(...given);
        };
      },
    });
  }

  function bound(of: BranchFiles, name: string | symbol): unknown {
    const value: unknown = Reflect.get(of, name);
    return typeof value === 'function' ? (value.bind(of) as unknown) : value;
  }
});
