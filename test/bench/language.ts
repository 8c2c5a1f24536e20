import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseFile } from '#model/file.ts';
import { symbolsOf } from '#model/symbols.ts';
import { type Bench, type Figure, median } from './figures.ts';
import { bundleServer, ServerProcess } from './language/client.ts';
import { generateModel, generateOneFile } from './language/model.ts';

/** The language server over stdio, as it ships: start, index, typing, completion, rename; and how it grows. */
export const run: Bench = async ({ quick }) => {
  const cubes = quick ? 50 : 500;
  const keys = quick ? 20 : 60;
  const { path, remove } = await bundleServer();
  const folder = mkdtempSync(join(tmpdir(), 'language-model-'));
  try {
    for (const file of generateModel(cubes)) {
      mkdirSync(dirname(join(folder, file.path)), { recursive: true });
      writeFileSync(join(folder, file.path), file.text);
    }
    return [
      ...(await starting(path, quick ? 3 : 5)),
      ...(await indexing(path, folder, cubes)),
      ...(await typing(path, generateOneFile(1), '14 KB', keys, 5)),
      ...(await typing(
        path,
        generateOneFile(cubes),
        `${(generateOneFile(cubes).length / 1e6).toFixed(1)} MB`,
        keys,
        20,
      )),
      growth(quick ? 20 : 50),
    ];
  } finally {
    remove();
    rmSync(folder, { recursive: true });
  }
};

function figure(id: string, value: number, unit: string, reach: number): Figure {
  return { id, value, unit, reach, ok: value <= reach };
}

async function starting(path: string, times: number): Promise<readonly Figure[]> {
  const values: number[] = [];
  for (let at = 0; at < times; at++) {
    const server = new ServerProcess(path, undefined);
    values.push(await server.startedIn);
    server.stop();
  }
  return [figure('start → initialized', median(values), 'ms', 100)];
}

async function indexing(path: string, folder: string, cubes: number): Promise<readonly Figure[]> {
  const server = new ServerProcess(path, pathToFileURL(folder).href);
  try {
    await server.startedIn;
    const from = performance.now();
    await server.initialized();
    await server.ready;
    const indexed = performance.now() - from;
    const memory = server.memory();
    const uri = pathToFileURL(join(folder, 'cubes/c1.yml')).href;
    const text = generateModel(cubes).find((file) => file.path === 'cubes/c1.yml')?.text ?? '';
    await server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    const line = text.split('\n').findIndex((each) => each.includes('- name: d1'));
    const renamed = await timed(5, (at) =>
      server.connection.sendRequest('textDocument/rename', {
        textDocument: { uri },
        position: { line, character: 15 },
        newName: `renamed_${at}`,
      }),
    );
    const symbols = await timed(5, () => server.connection.sendRequest('workspace/symbol', { query: 'd1' }));
    return [
      figure(`index ${cubes * 1.2} files, cold`, indexed, 'ms', 150),
      figure('memory when indexed', memory, 'MB', 120),
      figure('rename a member over all files, median', median(renamed), 'ms', 100),
      figure('workspace symbols, median', median(symbols), 'ms', 20),
    ];
  } finally {
    server.stop();
  }
}

/** Types into the SQL of a member in the middle of one document, and completes after each key. */
async function typing(
  path: string,
  text: string,
  size: string,
  keys: number,
  reach: number,
): Promise<readonly Figure[]> {
  const server = new ServerProcess(path, undefined);
  const uri = 'untitled:model.yml';
  try {
    await server.initialized();
    await server.ready;
    const opened = server.diagnostics(uri, 1);
    await server.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
    await opened;
    const lines = text.split('\n');
    const line = lines.findIndex((each, at) => at > lines.length / 2 && each.includes('{CUBE.id} END'));
    const character = (lines[line] ?? '').indexOf('{CUBE.id} END') + 6;
    const diagnosed: number[] = [];
    const completed: number[] = [];
    for (let key = 0; key < keys; key++) {
      const version = key + 2;
      const done = server.diagnostics(uri, version);
      const from = performance.now();
      const position = { line, character: character + key };
      await server.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range: { start: position, end: position }, text: 'x' }],
      });
      await done;
      diagnosed.push(performance.now() - from);
      await server.connection.sendRequest('textDocument/completion', {
        textDocument: { uri },
        position: { line, character },
      });
      completed.push(performance.now() - from);
    }
    return [
      figure(`key → diagnostics, ${size}, median`, median(diagnosed), 'ms', reach),
      figure(`key → diagnostics, ${size}, p95`, percentile(diagnosed, 0.95), 'ms', reach),
      figure(`key + completion, ${size}, median`, median(completed), 'ms', 20),
    ];
  } finally {
    server.stop();
  }
}

/** Ten times the model may cost twelve times the work. */
function growth(cubes: number): Figure {
  const cost = (count: number): number => {
    const text = generateOneFile(count);
    const times = Array.from({ length: 5 }, () => {
      const from = process.cpuUsage();
      for (const { part } of parseFile('a.yml', text).parts) symbolsOf(part);
      const { user, system } = process.cpuUsage(from);
      return user + system;
    });
    return Math.min(...times);
  };
  cost(cubes);
  const ratio = cost(cubes * 10) / cost(cubes);
  return { id: 'parse and index, 10 times the model', value: ratio, unit: '×', reach: 12, ok: ratio <= 12 };
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

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
