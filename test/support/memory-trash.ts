import type { OpenBranchTrash } from '#features/folders/branch-files.ts';
import type { TrashItem } from '#sync/core/ports.ts';

/** A trash of branches in memory. */
export interface MemoryTrash {
  readonly open: OpenBranchTrash;
  /** The items of all branches, oldest first. */
  readonly items: readonly (TrashItem & { readonly branch: string; readonly text: string })[];
}

export function memoryTrash(): MemoryTrash {
  const items: (TrashItem & { readonly branch: string; readonly text: string })[] = [];
  return {
    items,
    open: async ({ branchName: branch }) => ({
      put: async (path, bytes, why) => {
        const id = String(items.length + 1);
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        items.push({ id, path, size: bytes.length, time: items.length, ...why, branch, text });
        return id;
      },
      list: async () => items.filter((item) => item.branch === branch),
      read: async (id) => {
        const found = items.find((item) => item.id === id && item.branch === branch);
        return found && new TextEncoder().encode(found.text);
      },
    }),
  };
}
