import { describe, expect, it } from 'vitest';
import { Emitter } from '#base/event.ts';
import { Store } from '#base/store.ts';
import { DocumentTrash } from '#features/folders/document-trash.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { TrashItem } from '#sync/core/ports.ts';

const branch = (branchName: string): BranchTarget => ({ accountId: 'a', deploymentId: '1', branchName });
const version: TrashItem = { id: '1', path: 'model/a.yml', time: 1, size: 1, cause: 'branchEdit', deleted: false };

/** Trashes by branch; listing one ends when the test lets it. */
function follow() {
  const versions = new Map<string, TrashItem[] | Error>();
  const waiting: (() => void)[] = [];
  const shown = new Store<BranchTarget | undefined>(undefined);
  const written = new Emitter<BranchTarget>();
  const list = async ({ branchName }: BranchTarget): Promise<readonly TrashItem[]> => {
    await new Promise<void>((resolve) => void waiting.push(resolve));
    const found = versions.get(branchName) ?? [];
    if (found instanceof Error) throw found;
    return found;
  };
  const trash = new DocumentTrash(shown, { list }, written.event);
  const read = async (): Promise<void> => {
    for (const end of waiting.splice(0)) end();
    await new Promise(setImmediate);
  };
  return { versions, shown, written, trash, read };
}

describe('the trash of the branch beside which a document is open', () => {
  it('holds nothing until a document of the branch is replaced, and nothing where no document is open', async () => {
    const { versions, shown, written, trash, read } = follow();
    await read();
    shown.set(branch('dev-1'));
    await read();
    expect(trash.holds).toBe(false);
    versions.set('dev-1', [version]);
    written.fire(branch('dev-1'));
    await read();
    expect(trash.holds).toBe(true);
    shown.set(undefined);
    expect(trash.holds).toBe(false);
  });

  it('is never that of another branch, whenever its list comes', async () => {
    const { versions, shown, trash, read } = follow();
    versions.set('dev-1', [version]);
    shown.set(branch('dev-1'));
    shown.set(branch('dev-2'));
    await read();
    expect(trash.holds).toBe(false);
    shown.set(branch('dev-1'));
    await read();
    expect(trash.holds).toBe(true);
  });

  it('counts as holding something where it cannot be read, so that the command says why', async () => {
    const { versions, shown, trash, read } = follow();
    versions.set('dev-1', new Error('The disk is gone.'));
    shown.set(branch('dev-1'));
    await read();
    expect(trash.holds).toBe(true);
  });
});
