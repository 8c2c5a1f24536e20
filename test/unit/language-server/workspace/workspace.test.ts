import { describe, expect, it } from 'vitest';
import type { LanguageHost } from '#language-server/host.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import { Workspace } from '#language-server/workspace/workspace.ts';
import { yaml } from '#support/language/raw.ts';

const root = 'file:///shop/model';
const names = ['a', 'b', 'c', 'd'];
const uris = names.map((name) => `${root}/${name}.yml`);

/** A disk of which each reading and listing is answered when the test says so, with what was there when it was asked. */
class SlowDisk implements LanguageHost {
  readonly files = new Map<string, string>();
  readonly #waiting: (() => void)[] = [];
  isSlow = false;

  listFiles(): Promise<string[]> {
    return this.#later([...this.files.keys()]);
  }

  readFile(uri: string): Promise<string | undefined> {
    return this.#later(this.files.get(uri));
  }

  yield(): Promise<void> {
    return Promise.resolve();
  }

  now(): number {
    return 0;
  }

  /** Answers one of the questions that wait, by when it was asked, and lets what follows from it happen. */
  async answer(at: number): Promise<void> {
    const [answer] = this.#waiting.splice(at, 1);
    answer?.();
    await new Promise(setImmediate);
  }

  #later<T>(value: T): Promise<T> {
    return this.isSlow ? new Promise((resolve) => this.#waiting.push(() => resolve(value))) : Promise.resolve(value);
  }
}

const cube = (name: string): string => yaml`
  cubes:
    - name: ${name}
`;

describe('files that change while they are read', () => {
  async function opened(): Promise<{
    readonly disk: SlowDisk;
    readonly workspace: Workspace;
    readonly names: () => readonly string[];
  }> {
    const disk = new SlowDisk();
    disk.files.set(`${root}/a.yml`, cube('old'));
    const workspace = new Workspace(disk, new OpenDocuments());
    await workspace.setRoots([root], new AbortController().signal);
    disk.isSlow = true;
    return { disk, workspace, names: () => workspace.roots[0]?.index.entities().map(({ name }) => name) ?? [] };
  }

  it('have the text of the later reading, whichever is answered first', async () => {
    const { disk, workspace, names: known } = await opened();
    const first = workspace.refresh(`${root}/a.yml`);
    disk.files.set(`${root}/a.yml`, cube('new'));
    const second = workspace.refresh(`${root}/a.yml`);
    await disk.answer(1);
    await disk.answer(0);
    await Promise.all([first, second]);
    expect(known()).toEqual(['new']);
  });

  it('stay when they came while their folder was listed', async () => {
    const { disk, workspace, names: known } = await opened();
    const scan = workspace.rescan(new AbortController().signal);
    disk.files.set(`${root}/b.yml`, cube('b'));
    disk.isSlow = false;
    await workspace.refresh(`${root}/b.yml`);
    await disk.answer(0);
    await scan;
    expect(known()).toEqual(['old', 'b']);
  });
});

describe('indexing a folder', () => {
  // @shows file-changes
  it('that was cut off by other options starts over, so that no file is missing', async () => {
    const first = new AbortController();
    const host: LanguageHost = {
      listFiles: async () => uris,
      readFile: async (uri) => {
        if (uri === uris[1]) first.abort();
        return `cubes:\n  - name: ${uri.at(-5)}\n`;
      },
      yield: async () => {},
      now: () => 0,
    };
    const workspace = new Workspace(host, new OpenDocuments());
    await workspace.setRoots([root], first.signal);
    expect(workspace.get(`${root}/c.yml`)).toBeUndefined();
    await workspace.setRoots([root], new AbortController().signal);
    expect(workspace.roots[0]?.index.entities().map(({ name }) => name)).toEqual(names);
  });
});
