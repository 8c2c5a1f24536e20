import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileChangeType } from 'vscode-languageserver';
import type { Figure } from '../figures.ts';
import { type ServerKind, ServerProcess } from './client.ts';
import { generateModel } from './model.ts';
import { figure } from './project.ts';

/**
 * All files of a project change at once, as when a branch is checked out: in a linked model, and in one that was found in a folder,
 * where each file may have become a model or may not be one any more.
 */
export async function changeFigures(kind: ServerKind, cubes: number): Promise<readonly Figure[]> {
  const linked = await changed(kind, cubes);
  const found = await changed(
    {
      ...kind,
      initializationOptions: (root) => ({
        roots: root === undefined ? [] : [root],
        found: root === undefined ? [] : [root],
      }),
    },
    cubes,
  );
  return [...figuresOf('linked', linked), ...figuresOf('found', found)];
}

interface Changed {
  readonly files: number;
  readonly time: number;
  readonly busy: number;
}

function figuresOf(project: string, { files, time, busy }: Changed): readonly Figure[] {
  const id = `${files} files change, ${project} project`;
  return [
    figure(id, time, 'ms', 3000),
    { id: `${id}: processor time of the thread`, value: busy, unit: 'ms', ok: true },
  ];
}

/** Changes each file of a new project; resolves to the time until the server knows the last one. */
async function changed(kind: ServerKind, cubes: number): Promise<Changed> {
  const folder = mkdtempSync(join(tmpdir(), 'language-changes-'));
  const server = new ServerProcess(kind, pathToFileURL(folder).href);
  try {
    const files = generateModel(cubes).filter(({ path }) => path.startsWith('cubes/'));
    for (const { path, text } of files) write(join(folder, path), text);
    await server.initialized();
    await server.ready;
    await server.idle();
    for (const [at, { path, text }] of files.entries())
      write(join(folder, path), `${text}  - name: changed_${at}\n    sql_table: t\n`);
    const busy = server.busy();
    const from = performance.now();
    const changes = files.map(({ path }) => ({
      uri: pathToFileURL(join(folder, path)).href,
      type: FileChangeType.Changed,
    }));
    await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await known(server, `changed_${files.length - 1}`);
    return { files: files.length, time: performance.now() - from, busy: server.busy() - busy };
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Resolves once the server knows a name; each question is answered between two files at the earliest. */
async function known(server: ServerProcess, name: string): Promise<void> {
  for (;;) {
    const found = await server.connection.sendRequest<readonly unknown[]>('workspace/symbol', { query: name });
    if (found.length > 0) return;
  }
}
