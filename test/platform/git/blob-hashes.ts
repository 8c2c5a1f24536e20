import { git } from './git.ts';
import { type FileEntry, type FileIndex, sha1 } from './worktree.ts';

const keptTrees = 16;

/** The SHA-1 of the bytes of committed files: Git's own object names are of header and bytes, so they are computed once. */
export class BlobHashes {
  readonly #dir: string;
  readonly #entries = new Map<string, FileEntry>();
  readonly #trees = new Map<string, FileIndex>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** All files of a commit's tree, sorted by path. */
  async index(commit: string): Promise<FileIndex> {
    const known = this.#trees.get(commit);
    if (known !== undefined) return known;
    const blobs = await this.#list(commit);
    const missing = [...new Set(blobs.values())].filter((blob) => !this.#entries.has(blob));
    for (const [blob, bytes] of await this.#contents(missing)) {
      this.#entries.set(blob, { hash: sha1(bytes), size: bytes.byteLength });
    }
    const index = new Map([...blobs].map(([path, blob]) => [path, this.#entries.get(blob) as FileEntry]));
    if (this.#trees.size >= keptTrees) this.#trees.delete(this.#trees.keys().next().value as string);
    this.#trees.set(commit, index);
    return index;
  }

  /** The bytes of some files of a commit; a path that is not there is left out. */
  async read(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const blobs = await this.#list(commit);
    const wanted = paths.flatMap((path) => {
      const blob = blobs.get(path);
      return blob === undefined ? [] : [{ path, blob }];
    });
    const contents = await this.#contents([...new Set(wanted.map(({ blob }) => blob))]);
    return new Map(wanted.map(({ path, blob }) => [path, contents.get(blob) as Buffer]));
  }

  async #list(commit: string): Promise<Map<string, string>> {
    const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', commit], { cwd: this.#dir });
    const rows = stdout.toString('utf8').split('\0').filter(Boolean);
    return new Map(
      rows.flatMap((row): [string, string][] => {
        const [head, path] = split(row, '\t');
        const [, type, blob = ''] = head.split(' ');
        return type === 'blob' ? [[path, blob]] : [];
      }),
    );
  }

  async #contents(blobs: readonly string[]): Promise<Map<string, Buffer>> {
    if (blobs.length === 0) return new Map();
    const { stdout } = await git(['cat-file', '--batch'], { cwd: this.#dir, input: `${blobs.join('\n')}\n` });
    const contents = new Map<string, Buffer>();
    let at = 0;
    for (const blob of blobs) {
      const lineEnd = stdout.indexOf(0x0a, at);
      const size = Number(stdout.subarray(at, lineEnd).toString('latin1').split(' ')[2]);
      contents.set(blob, stdout.subarray(lineEnd + 1, lineEnd + 1 + size));
      at = lineEnd + 1 + size + 1;
    }
    return contents;
  }
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
