import { git } from './git.ts';
import { LimitedCache } from './limited-cache.ts';
import { type FileEntry, type FileIndex, sha1 } from './worktree.ts';

/**
 * What is known of objects, of all repositories of this process: an object's name is the hash of its content, so it stands for
 * the same everywhere and for ever. Each question that it answers saves a Git process.
 */
const known = {
  /** The blobs of a commit, by path. Limited to so many paths. */
  lists: new LimitedCache<ReadonlyMap<string, string>>(100_000, ({ size }) => size + 1),
  /** The SHA-1 of a blob's bytes: Git's own names are of header and bytes. Limited to so many blobs. */
  entries: new LimitedCache<FileEntry>(100_000, () => 1),
  /** Limited to so many bytes. */
  contents: new LimitedCache<Buffer>(16_000_000, ({ byteLength }) => byteLength),
  /** What `index` answered. Limited to so many paths. */
  indexes: new LimitedCache<FileIndex>(100_000, ({ size }) => size + 1),
};

/** Reads the files of commits. A commit is given by its full name, and must be in the repository. */
export class CommittedFiles {
  readonly #dir: string;

  /** @param dir the bare repository */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** All files of a commit's tree, sorted by path. */
  async index(commit: string): Promise<FileIndex> {
    const answered = known.indexes.get(commit);
    if (answered !== undefined) return answered;
    const blobs = await this.#list(commit);
    const entries = new Map<string, FileEntry>();
    for (const blob of blobs.values()) {
      const entry = known.entries.get(blob);
      if (entry !== undefined) entries.set(blob, entry);
    }
    for (const [blob, bytes] of await this.#contents([...blobs.values()].filter((blob) => !entries.has(blob)))) {
      const entry = { hash: sha1(bytes), size: bytes.byteLength };
      entries.set(blob, entry);
      known.entries.set(blob, entry);
    }
    const index = new Map([...blobs].map(([path, blob]) => [path, entries.get(blob) as FileEntry]));
    known.indexes.set(commit, index);
    return index;
  }

  /** The bytes of some files of a commit, or of all; a path that is not there is left out. */
  async read(commit: string, paths?: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const blobs = await this.#list(commit);
    const wanted = (paths ?? [...blobs.keys()]).flatMap((path) => {
      const blob = blobs.get(path);
      return blob === undefined ? [] : [{ path, blob }];
    });
    const contents = await this.#contents(wanted.map(({ blob }) => blob));
    return new Map(wanted.map(({ path, blob }) => [path, contents.get(blob) as Buffer]));
  }

  async #list(commit: string): Promise<ReadonlyMap<string, string>> {
    const answered = known.lists.get(commit);
    if (answered !== undefined) return answered;
    const { stdout } = await git(['ls-tree', '-r', '-z', '--full-tree', commit], { cwd: this.#dir });
    const rows = stdout.toString('utf8').split('\0').filter(Boolean);
    const list = new Map(
      rows.flatMap((row): [string, string][] => {
        const [head, path] = split(row, '\t');
        const [, type, blob = ''] = head.split(' ');
        return type === 'blob' ? [[path, blob]] : [];
      }),
    );
    known.lists.set(commit, list);
    return list;
  }

  /** The bytes of blobs, each of which may be asked for several times. */
  async #contents(blobs: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const contents = new Map<string, Buffer>();
    const unknown = new Set<string>();
    for (const blob of blobs) {
      const bytes = known.contents.get(blob);
      if (bytes === undefined) unknown.add(blob);
      else contents.set(blob, bytes);
    }
    if (unknown.size === 0) return contents;
    const { stdout } = await git(['cat-file', '--batch'], { cwd: this.#dir, input: `${[...unknown].join('\n')}\n` });
    let at = 0;
    for (const blob of unknown) {
      const lineEnd = stdout.indexOf(0x0a, at);
      const size = Number(stdout.subarray(at, lineEnd).toString('latin1').split(' ')[2]);
      // A copy, so that one small file does not keep the whole answer in memory.
      const bytes = Buffer.from(stdout.subarray(lineEnd + 1, lineEnd + 1 + size));
      contents.set(blob, bytes);
      known.contents.set(blob, bytes);
      at = lineEnd + 1 + size + 1;
    }
    return contents;
  }
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}
