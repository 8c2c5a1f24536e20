import { baseName, isInside } from '#base/path.ts';
import { type KnownTables, readTables, TABLE_FILES, type TableTexts } from '#model/tables/read-tables.ts';
import { LONGEST_TABLES } from '#model/tables/table.ts';
import type { LanguageHost } from './host.ts';
import type { ModelRoot, Workspace } from './workspace.ts';
import { normalizeUri } from './uris.ts';

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
      problems.push(...own);
      if (catalog) return { catalog, problems };
    }
    return problems.length === 0 ? undefined : { catalog: undefined, problems };
  }

  async #read(folder: string): Promise<KnownTables> {
    const problems: string[] = [];
    for (const beside of BESIDE) {
      const texts: Record<keyof TableTexts, string | undefined> = {
        list: await this.#text(`${folder}/${beside}${TABLE_FILES.list}`, problems),
        manifest: await this.#text(`${folder}/${beside}${TABLE_FILES.manifest}`, problems),
        catalog: await this.#text(`${folder}/${beside}${TABLE_FILES.catalog}`, problems),
      };
      const known = readTables(texts);
      problems.push(...known.problems);
      if (known.catalog) return { catalog: known.catalog, problems };
    }
    return { catalog: undefined, problems };
  }

  async #text(uri: string, problems: string[]): Promise<string | undefined> {
    const { host } = this.#deps;
    const bytes = (await host.fileSize?.(uri)) ?? 0;
    if (bytes <= LONGEST_TABLES) return host.readFile(uri);
    problems.push(`${baseName(uri)} was not read: it is larger than ${LONGEST_TABLES / 1e6} MB.`);
    return undefined;
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
