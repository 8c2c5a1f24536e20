import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompletionList, Hover, Location, WorkspaceEdit } from 'vscode-languageserver';
import { ROOT, Session } from '#support/language/session.ts';
import { yaml } from '#support/language/raw.ts';

const FILES = {
  'a.yml': yaml`
    cubes:
      - name: a
        sql_table: t
        dimensions:
          - {name: x, sql: x, type: string}
        measures:
          - {name: m, type: count, drill_members: [x]}
  `,
  'b.yml': yaml`
    views:
      - name: v
        cubes:
          - {join_path: a, includes: [x, nope]}
  `,
};

describe('the bundled server in a process of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'language-server-'));
  const bundle = join(folder, 'server.cjs');

  beforeAll(async () => {
    await build({
      entryPoints: ['src/language-server/main.ts'],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      mainFields: ['module', 'main'],
      loader: { '.wasm': 'file' },
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  // @shows remote-documents (server)
  it('indexes files that only the client can read, and answers', async () => {
    const session = await Session.spawn(bundle, FILES);
    const found = await session.diagnosticsOf(`${ROOT}/b.yml`, undefined);
    expect(found.map(({ code }) => code)).toEqual(['unknown-reference']);
    const uri = await session.open('a.yml');
    const hover = await session.request<Hover>('textDocument/hover', uri, { position: { line: 4, character: 15 } });
    expect(hover.contents).toMatchInlineSnapshot(`
      {
        "kind": "markdown",
        "value": "**a.x** · dimension · string

      \`\`\`sql
      x
      \`\`\`

      2 uses

      Defined in a.yml",
      }
    `);
    const list = await session.request<CompletionList>('textDocument/completion', uri, {
      position: { line: 6, character: 47 },
    });
    expect(list.items.map(({ label }) => label)).toMatchInlineSnapshot(`
      [
        "CUBE",
        "x",
        "m",
        "a",
      ]
    `);
    const [definition] = await session.request<Location[]>('textDocument/definition', uri, {
      position: { line: 6, character: 47 },
    });
    expect(definition?.range.start.line).toBe(4);
    const edit = await session.request<WorkspaceEdit>('textDocument/rename', uri, {
      position: { line: 4, character: 15 },
      newName: 'y',
    });
    expect(edit.documentChanges?.length).toBe(2);
    session.dispose();
  });

  // @shows browser (server)
  it('has a browser build without a single module of Node', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: ['src/language-server/worker.ts'],
      bundle: true,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
      write: false,
      metafile: true,
      logLevel: 'error',
      outdir: folder,
    });
    expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('node:') || path.includes('/node/'))).toEqual(
      [],
    );
    expect(outputFiles[0]?.text.length).toBeGreaterThan(100_000);
  });
});
