import type { Connection } from 'vscode-languageserver';
import {
  cubeOfTable,
  type CubeOfTable,
  type CubeOfTableParams,
  knownTables,
  type KnownTablesParams,
  type KnownTablesResult,
} from '#features/language/messages.ts';
import { baseName } from '#base/path.ts';
import { generateCube } from '#model/tables/generate-cube.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { ModelRoot, Workspace } from './workspace.ts';

interface GeneratedCubesDeps {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly host: LanguageHost;
}

/** Lists the tables for which a model could have cubes, and generates such a cube. It writes no file. */
export class GeneratedCubes {
  readonly #deps: GeneratedCubesDeps;

  constructor(deps: GeneratedCubesDeps) {
    this.#deps = deps;
  }

  listen(): void {
    const { connection } = this.#deps;
    connection.onRequest(knownTables, ({ uri }: KnownTablesParams) => this.#tables(uri));
    connection.onRequest(cubeOfTable, (params: CubeOfTableParams) => this.#cube(params));
  }

  #tables(uri: string): KnownTablesResult {
    const root = this.#deps.workspace.modelOf(normalizeUri(uri));
    const tables = root?.tables?.catalog?.tables ?? [];
    return {
      hasModel: root !== undefined,
      problems: root?.tables?.problems ?? [],
      tables: tables.map(({ relation, description, columns }) => ({ relation, description, columns: columns.length })),
    };
  }

  async #cube({ uri, relation }: CubeOfTableParams): Promise<CubeOfTable | null> {
    const given = normalizeUri(uri);
    const root = this.#deps.workspace.modelOf(given);
    const catalog = root?.tables?.catalog;
    const table = catalog?.tables.find((each) => each.relation === relation);
    if (!root || !catalog || !table) return null;
    const isTaken = (name: string): boolean => hasName(root, name);
    const { name, text } = generateCube(table, { isTaken, database: catalog.database });
    return {
      name,
      text: usesCrlf(root) ? text.replaceAll('\n', '\r\n') : text,
      uri: await this.#freeFile(root, folderFor(root, given), name),
    };
  }

  /** Resolves to the URI of a file that does not exist yet. */
  async #freeFile({ index }: ModelRoot, folder: string, name: string): Promise<string> {
    const taken = new Set([...index.files()].map(({ path }) => path.toLowerCase()));
    for (let count = 1; ; count++) {
      const uri = `${folder}/${count === 1 ? name : `${name}_${count}`}.yml`;
      if (!taken.has(uri.toLowerCase()) && (await this.#deps.host.readFile(uri)) === undefined) return uri;
    }
  }
}

/** Whether most files of a model have the line endings of Windows. */
function usesCrlf({ index }: ModelRoot): boolean {
  const files = [...index.files()];
  return files.filter(({ text }) => text.includes('\r\n')).length * 2 > files.length;
}

/**
 * Whether a cube or view has the name, according to the files and, for generated ones, to the platform. The SQL of most tools does
 * not tell names apart that differ in case only.
 */
function hasName({ index, platform }: ModelRoot, name: string): boolean {
  const isSame = (other: { readonly name: string }): boolean => other.name.toLowerCase() === name.toLowerCase();
  return index.entities().some(isSame) || (index.dynamic && platform?.cubes.some(isSame) === true);
}

/**
 * Returns the given folder if it lies in the model; otherwise the folder `cubes` if the model has one or is empty, else the root.
 */
function folderFor({ uri, index }: ModelRoot, given: string): string {
  if (given.startsWith(`${uri}/`) && !baseName(given).includes('.')) return given;
  const cubes = `${uri}/cubes`;
  const paths = [...index.files()].map(({ path }) => path);
  return paths.length === 0 || paths.some((path) => path.startsWith(`${cubes}/`)) ? cubes : uri;
}
