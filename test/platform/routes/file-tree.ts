import { isUtf8 } from 'node:buffer';

/** A file or folder as docs/platform-api.md#listdatamodelfiles answers it. */
export interface TreeNode {
  readonly path: string;
  readonly type: 'file' | 'directory';
  readonly content?: string;
  readonly children?: TreeNode[];
}

/**
 * The nested tree of some paths. Content is given where it was asked for and the bytes are text: anything else would
 * not survive a round trip.
 */
export function fileTree(paths: readonly string[], contents: ReadonlyMap<string, Buffer> | undefined): TreeNode {
  const root = { path: '/', type: 'directory', children: [] as TreeNode[] } as const;
  const folders = new Map<string, TreeNode[]>([['', root.children]]);
  const childrenOf = (folder: string): TreeNode[] => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const children: TreeNode[] = [];
    folders.set(folder, children);
    childrenOf(parentOf(folder)).push({ path: `/${folder}`, type: 'directory', children });
    return children;
  };
  for (const path of paths) {
    const bytes = contents?.get(path);
    const content = bytes !== undefined && isUtf8(bytes) ? { content: bytes.toString('utf8') } : {};
    childrenOf(parentOf(path)).push({ path: `/${path}`, type: 'file', ...content });
  }
  return root;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
