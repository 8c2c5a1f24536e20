import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Figure, median } from '../figures.ts';
import { type ServerKind, ServerProcess } from './client.ts';
import { generateModel } from './model.ts';

/** A project of many files: reading all of it, and what goes over all of it. */
export async function projectFigures(kind: ServerKind, cubes: number, starts: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'language-model-'));
  const files = generateModel(cubes);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const root = pathToFileURL(folder).href;
  const indexes = [];
  for (let start = 1; start < starts; start++) indexes.push(await indexOnce(kind, root));
  const server = new ServerProcess(kind, root);
  try {
    indexes.push(await index(server));
    const memory = server.memory();
    const uri = pathToFileURL(join(folder, 'cubes/hub.yml')).href;
    const text = files.find((file) => file.path === 'cubes/hub.yml')?.text ?? '';
    await server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    const symbols = await timed(9, () => server.connection.sendRequest('workspace/symbol', { query: 'd1' }));
    const line = text.split('\n').findIndex((each) => each.includes('- name: code'));
    const place = { textDocument: { uri }, position: { line, character: 15 } };
    let uses = 0;
    const renamed = await timed(7, async (at) => {
      const edit = await server.connection.sendRequest<Edit>('textDocument/rename', { ...place, newName: `n_${at}` });
      uses = edit.documentChanges.reduce((sum, { edits }) => sum + edits.length, 0);
    });
    await server.idle();
    return [
      figure(`index ${files.length} files, cold`, median(indexes.map(({ time }) => time)), 'ms', 150),
      {
        id: `index ${files.length} files, cold: processor time of the thread`,
        value: median(indexes.map(({ busy }) => busy)),
        unit: 'ms',
        ok: true,
      },
      {
        id: `index ${files.length} files, cold: processor time of other threads`,
        value: median(indexes.map(({ beside }) => beside)),
        unit: 'ms',
        ok: true,
      },
      figure('memory when indexed', memory, 'MB', 120),
      { id: 'memory when every file was checked', value: server.memory(), unit: 'MB', ok: true },
      {
        id: 'rename a member over all files, the first time',
        value: renamed[0] ?? 0,
        unit: `ms (${uses} uses)`,
        ok: true,
      },
      figure('rename a member over all files, median', median(renamed), 'ms', 100),
      { id: 'workspace symbols, the first time', value: symbols[0] ?? 0, unit: 'ms', ok: true },
      figure('workspace symbols, median', median(symbols), 'ms', 20),
    ];
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Indexed {
  readonly time: number;
  readonly busy: number;
  readonly beside: number;
}

/** A server that never saw the files: until it knows all of them, in ms; and processor time of its threads for it. */
async function index(server: ServerProcess): Promise<Indexed> {
  await server.startedIn;
  const busy = server.busy();
  const beside = server.busyBeside();
  const from = performance.now();
  await server.initialized();
  await server.ready;
  return { time: performance.now() - from, busy: server.busy() - busy, beside: server.busyBeside() - beside };
}

async function indexOnce(kind: ServerKind, root: string): Promise<Indexed> {
  const server = new ServerProcess(kind, root);
  try {
    return await index(server);
  } finally {
    server.stop();
  }
}

interface Edit {
  readonly documentChanges: readonly { readonly edits: readonly unknown[] }[];
}

export function figure(id: string, value: number, unit: string, reach: number): Figure {
  return { id, value, unit, reach, ok: value <= reach };
}

async function timed(times: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const values: number[] = [];
  for (let at = 0; at < times; at++) {
    const from = performance.now();
    await work(at);
    values.push(performance.now() - from);
  }
  return values;
}
