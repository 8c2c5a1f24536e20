import { describe, expect, it } from 'vitest';
import { filesOnBranch } from '#chat-core/branch-files.ts';
import { MemoryProposalFiles } from '#support/chat/memory-proposals.ts';

const made = { path: 'model/new.yml', before: undefined, text: 'new: 1\n' };
const gone = { path: made.path, before: made.text, text: undefined };

function desk(options: { readonly onBranch?: readonly string[] } = {}) {
  const disk = new MemoryProposalFiles();
  const takenBack: string[] = [];
  const files = filesOnBranch(disk, {
    takeBackOf: (path) => {
      if (options.onBranch?.includes(path) === true) return Promise.resolve(undefined);
      return Promise.resolve(() => {
        expect(disk.texts.has(path)).toBe(false);
        takenBack.push(path);
        return Promise.resolve();
      });
    },
  });
  return { disk, files, takenBack };
}

describe('files that reach a branch when they are saved', () => {
  it('are taken back from it when a file that was made here is undone', async () => {
    const { files, takenBack } = desk();
    await files.write([made, { path: 'model/other.yml', before: undefined, text: 'o: 1\n' }]);
    await files.write([gone]);
    expect(takenBack).toEqual([made.path]);
    await files.write([{ ...gone, before: undefined }]);
    expect(takenBack).toEqual([made.path]);
  });

  it('stay there when the branch had the file, when it was here before, or was written again since', async () => {
    const had = desk({ onBranch: [made.path] });
    await had.files.write([made]);
    await had.files.write([gone]);
    expect(had.takenBack).toEqual([]);

    const here = desk();
    here.disk.texts.set(made.path, 'before: 1\n');
    await here.files.write([{ ...made, before: 'before: 1\n' }]);
    await here.files.write([gone]);
    expect(here.takenBack).toEqual([]);

    const again = desk();
    await again.files.write([made]);
    await again.files.write([{ ...made, before: made.text, text: 'new: 2\n' }]);
    await again.files.write([{ ...gone, before: 'new: 2\n' }]);
    expect(again.takenBack).toEqual([]);
  });

  it('are not taken back when the file could not be deleted here', async () => {
    const { disk, files, takenBack } = desk();
    await files.write([made]);
    disk.write = () => Promise.reject(new Error('read-only'));
    await expect(files.write([gone])).rejects.toThrow('read-only');
    expect(takenBack).toEqual([]);
  });
});
