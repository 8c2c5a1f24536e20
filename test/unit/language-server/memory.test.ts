import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Activity } from '#language-server/activity.ts';
import { Diagnoser } from '#language-server/diagnostics/diagnoser.ts';
import { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { withoutTrees } from '#language-server/documents/large-files.ts';
import { completion } from '#language-server/ide/completion/completion.ts';
import { hover } from '#language-server/ide/hover.ts';
import { documentSymbols } from '#language-server/ide/navigation/symbols.ts';
import { prepareTokens, TokenCache } from '#language-server/requests/token-cache.ts';
import { type Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';

const URI = 'file:///somewhere/orders.yml';
const CUBES = 30;
const MEMBERS = 40;
const HOST: LanguageHost = {
  listFiles: () => Promise.resolve([]),
  readFile: () => Promise.resolve(undefined),
  yield: nextTurn,
  now: () => 0,
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Collects garbage. A weak reference that was just made or read holds its object until the turn ends. */
async function collectGarbage(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    await nextTurn();
    collect();
  }
}

/** The memory that is in use, in bytes: objects, and the numbers outside of the heap of which parsed files consist. */
async function used(): Promise<number> {
  await collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function model(): string {
  const cubes = Array.from({ length: CUBES }, (_, cube) => {
    const members = Array.from(
      { length: MEMBERS },
      (__, at) =>
        `      - name: d${at}\n        title: Dimension ${at}\n        sql: "COALESCE({CUBE}.col_${at}, {id})"\n        type: string\n`,
    );
    const key = '      - {name: id, sql: id, type: number, primary_key: true}\n';
    return `  - name: c${cube}\n    sql_table: shop.c${cube}\n    dimensions:\n${key}${members.join('')}`;
  });
  return `cubes:\n${cubes.join('')}`;
}

/** A server without its connection: what it keeps of documents, and what it says about them. */
class Desk {
  readonly documents = new OpenDocuments();
  readonly workspace = new Workspace(HOST, this.documents);
  readonly tokens = new TokenCache();
  readonly #diagnoser: Diagnoser;
  #version = 1;

  constructor() {
    const silent = { console: { error: () => undefined }, sendDiagnostics: () => Promise.resolve() };
    const options = { settings: defaultLanguageSettings, docs: undefined };
    const activity = new Activity(() => 0);
    this.#diagnoser = new Diagnoser(silent, this.workspace, this.documents, HOST, activity, options);
    this.#diagnoser.paused = false;
    this.documents.onDidClose((uri) => this.tokens.forget(uri));
  }

  async open(text: string): Promise<void> {
    this.documents.open({ uri: URI, languageId: 'yaml', version: 1, text });
    await this.#diagnoser.rest();
  }

  /** Types one character into the name of a column of a cube, and asks what an editor asks for. */
  async type(cube: number): Promise<Opened> {
    const line = 1 + cube * (4 + MEMBERS * 4) + 6;
    const start = { line, character: '        sql: "COALESCE({CUBE}.col_'.length };
    const contentChanges = [{ range: { start, end: start }, text: 'x' }];
    this.documents.change({ textDocument: { uri: URI, version: ++this.#version }, contentChanges });
    await this.#diagnoser.rest();
    const opened = this.opened();
    const offset = opened.positions.offsetAt(start);
    withoutTrees(opened.file, () => [completion(opened, offset), hover(opened, offset)]);
    documentSymbols(opened);
    await prepareTokens(
      () => opened,
      HOST,
      () => false,
    );
    this.tokens.full(opened);
    return opened;
  }

  opened(): Opened {
    const opened = this.workspace.get(URI);
    if (!opened) throw new Error('The document is not known.');
    return opened;
  }
}

/** Types into every cube in turn; returns the chunks that were replaced, none of which anything may hold any more. */
async function typeAround(desk: Desk, keys: number): Promise<readonly WeakRef<object>[]> {
  const replaced: WeakRef<object>[] = [];
  for (let key = 0; key < keys; key++) {
    const { file } = desk.opened();
    const { file: next } = await desk.type((key * 7) % CUBES);
    replaced.push(new WeakRef(file));
    const kept = new Set(next.chunks.map(({ chunk }) => chunk));
    for (const { chunk } of file.chunks) if (!kept.has(chunk)) replaced.push(new WeakRef(chunk));
  }
  return replaced;
}

/** Returns a document's file, model and chunks. A function of its own: one that waits would hold them in its variables. */
function partsOf(desk: Desk): readonly WeakRef<object>[] {
  const { file, root } = desk.opened();
  return [file, root.index, ...file.chunks.map(({ chunk }) => chunk)].map((each) => new WeakRef(each));
}

function stillThere(objects: readonly WeakRef<object>[]): number {
  return objects.filter((each) => each.deref() !== undefined).length;
}

describe('the memory of the server', () => {
  it('holds no earlier version of a document that is edited', async () => {
    const desk = new Desk();
    await desk.open(model());
    const replaced = await typeAround(desk, 20);
    // A version and a cube for each key.
    expect(replaced).toHaveLength(40);
    await collectGarbage();
    expect(stillThere(replaced)).toBe(0);
    expect(desk.opened().file.chunks).toHaveLength(CUBES);
  });

  it('holds nothing of a document that was closed', async () => {
    const desk = new Desk();
    await desk.open(model());
    await typeAround(desk, 3);
    const held = partsOf(desk);
    desk.documents.close(URI);
    await collectGarbage();
    expect(held).toHaveLength(CUBES + 2);
    expect(stillThere(held)).toBe(0);
    expect(desk.workspace.get(URI)).toBeUndefined();
  });

  it('is a few bytes for each character of a document, after any number of keys', async () => {
    const text = model();
    // Code and caches that exist once come before.
    const first = new Desk();
    await first.open(text);
    await typeAround(first, 10);
    first.documents.close(URI);
    const before = await used();
    const desk = new Desk();
    // A text of its own, as one that came in a message.
    await desk.open(`# opened\n${text}`.slice('# opened\n'.length));
    await typeAround(desk, CUBES);
    const perCharacter = ((await used()) - before) / text.length;
    expect(desk.opened().file.text.length).toBe(text.length + CUBES);
    expect(perCharacter).toBeGreaterThan(1);
    expect(perCharacter).toBeLessThan(14);
  });
});
