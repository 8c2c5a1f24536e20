import { append } from '#base/long-lists.ts';
import { baseName, isInside } from '#base/path.ts';
import {
  type FilesRead,
  type KnownTables,
  readTables,
  TABLE_FILES,
  type TableTexts,
} from '#model/tables/read-tables.ts';
import { LONGEST_TABLES } from '#model/tables/table.ts';
import type { LanguageHost } from '#language-server/host.ts';
import type { ModelRoot, Workspace } from './workspace.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';

interface TableFilesDeps {
  readonly host: LanguageHost;
  readonly workspace: Workspace;
  readonly warn: (message: string) => void;
}

/** Folders of a project in which the table files can lie. */
const BESIDE = ['', 'dbt/'];

/**
 * Gives each model the tables that its project's files describe: those of the nearest folder that has any, from the model's own
 * up to the folder of the client (docs/tables.md#where-tables-are-known-from).
 */
export class TableFiles {
  readonly #deps: TableFilesDeps;
  /** Identifies the last reading of all files: earlier ones stop. */
  #reading = {};
  #reported: readonly string[] = [];
  /** What was read last, by the folder of the files. */
  readonly #before = new Map<string, FilesRead>();

  constructor(deps: TableFilesDeps) {
    this.#deps = deps;
  }

  /** Whether a file can contain information about tables. */
  static has(uri: string): boolean {
    const names: readonly string[] = Object.values(TABLE_FILES);
    return names.includes(baseName(uri)) || names.some((name) => uri.endsWith(`/${name}`));
  }

  /** Reads the files for all models, but nothing outside of `folders`. */
  async readAll(folders: readonly string[]): Promise<void> {
    const turn = {};
    this.#reading = turn;
    const read = new Map<string, Promise<KnownTables>>();
    const all: KnownTables[] = [];
    for (const root of this.#deps.workspace.roots) {
      const known = await this.#tablesOf(root, folders, read);
      if (this.#reading !== turn) return;
      root.tables = known;
      root.index.database = known?.catalog?.database;
      if (known) all.push(known);
    }
    const problems = [...new Set(all.flatMap((known) => known.problems))];
    for (const problem of problems) if (!this.#reported.includes(problem)) this.#deps.warn(problem);
    this.#reported = problems;
  }

  async #tablesOf(
    { uri }: ModelRoot,
    folders: readonly string[],
    read: Map<string, Promise<KnownTables>>,
  ): Promise<KnownTables | undefined> {
    const problems: string[] = [];
    for (const folder of foldersAbove(uri, folders)) {
      const known = read.get(folder) ?? this.#read(folder);
      read.set(folder, known);
      const { catalog, problems: own } = await known;
      append(problems, own);
      if (catalog) return { catalog, problems };
    }
    return problems.length === 0 ? undefined : { catalog: undefined, problems };
  }

  /** Reads the saved list and the first dbt project of a folder. */
  async #read(folder: string): Promise<KnownTables> {
    const problems: string[] = [];
    const list = await this.#list(folder, problems);
    let best: KnownTables['catalog'];
    for (const beside of BESIDE) {
      const at = `${folder}/${beside}`;
      const texts = {
        list,
        manifest: await this.#text(at, 'manifest', problems),
        catalog: await this.#text(at, 'catalog', problems),
      };
      const known = readTables(texts, this.#before.get(at));
      this.#before.set(at, known.read);
      append(problems, known.problems);
      best ??= known.catalog;
      if (known.read.manifest ?? known.read.catalog) return { catalog: known.catalog, problems };
    }
    return { catalog: best, problems: [...new Set(problems)] };
  }

  async #list(folder: string, problems: string[]): Promise<string | undefined> {
    for (const beside of BESIDE) {
      const list = await this.#text(`${folder}/${beside}`, 'list', problems);
      if (list !== undefined) return list;
    }
    return undefined;
  }

  /** Resolves to the text of a file in a folder, whose URI ends with a slash. */
  async #text(folder: string, file: keyof TableTexts, problems: string[]): Promise<string | undefined> {
    const { host } = this.#deps;
    const uri = folder + TABLE_FILES[file];
    const bytes = await host.fileSize?.(uri);
    const isShort = (bytes ?? 0) <= LONGEST_TABLES;
    const text = isShort ? await host.readFile(uri) : undefined;
    if (text === undefined && bytes !== undefined) {
      const reason = isShort ? 'it cannot be opened' : `it is larger than ${LONGEST_TABLES / 1e6} MB`;
      problems.push(`${TABLE_FILES[file]} was not read: ${reason}.`);
    }
    return text;
  }
}

/** Returns a folder and those above it, up to the innermost of `folders` that contains it; none if no such folder does. */
function foldersAbove(uri: string, folders: readonly string[]): readonly string[] {
  const holding = folders.map((folder) => normalizeUri(folder).replace(/\/$/, ''));
  const top = holding.filter((folder) => isInside(uri, folder)).toSorted((a, b) => b.length - a.length)[0];
  if (top === undefined) return [];
  const all = [uri];
  for (let at = uri; at.length > top.length;) {
    at = at.slice(0, at.lastIndexOf('/'));
    all.push(at);
  }
  return all;
}
