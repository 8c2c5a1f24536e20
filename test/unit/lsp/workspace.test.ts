import { describe, expect, it } from 'vitest';
import type { LanguageHost } from '#lsp/host.ts';
import { OpenDocuments } from '#lsp/documents.ts';
import { Workspace } from '#lsp/workspace.ts';

const root = 'file:///shop/model';
const names = ['a', 'b', 'c', 'd'];
const uris = names.map((name) => `${root}/${name}.yml`);

describe('indexing a folder', () => {
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
