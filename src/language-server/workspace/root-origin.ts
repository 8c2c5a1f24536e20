import { isInside } from '#base/path.ts';
import { isModelPath } from '#model/project/model-path.ts';
import { isQueryPath } from '#model/query-files/query-path.ts';
import { type ModelPlace, queryFolder } from '#model/query-files/query-folder.ts';
import type { ModelRoot } from './model-root.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';

/** How the server knows its roots, unless all of them are linked. */
export interface RootOrigin {
  /** The roots that were found in the folders of the client and are not linked. */
  readonly found?: readonly string[] | undefined;
  /** The roots that lie below their linked folder. */
  readonly nested?: readonly string[] | undefined;
  /** Whether the roots are the folders of the client, which may contain anything. */
  readonly guessed?: boolean | undefined;
}

/** Returns a function that says what is known of a root by its URI. */
export function originOf({
  found: foundUris,
  nested: nestedUris,
  guessed = false,
}: RootOrigin): (uri: string) => Pick<ModelRoot, 'mixed' | 'queries' | 'guessed'> {
  const found = new Set(foundUris?.map(rootUri));
  const nested = new Set(nestedUris?.map(rootUri));
  return (uri) => {
    const mixed = guessed || found.has(uri);
    return { mixed, queries: queryFolder(uri, nested.has(uri) ? 'inside' : placeOf(uri, mixed)), guessed };
  };
}

/** Returns the URI of a folder as roots are known by it. */
export function rootUri(uri: string): string {
  return normalizeUri(uri).replace(/\/$/, '');
}

/** Checks whether a URI that the client reports can be a folder with files of a model: it is none of the files that are read. */
export function canBeFolder(given: string, roots: readonly ModelRoot[]): boolean {
  const uri = rootUri(given);
  const isFile = isModelPath(uri) || isQueryPath(uri) || /\.(?:py|json)$/.test(uri);
  return !isFile && roots.some((root) => isInside(uri, root.uri) || isInside(root.uri, uri));
}

/** Returns what is known of a model that does not lie in a folder of its project; nothing of one on a branch or one that was found. */
function placeOf(uri: string, mixed: boolean): ModelPlace | undefined {
  return mixed || uri.startsWith('modelbench') ? undefined : 'whole';
}

/** Returns the root whose folder for queries contains a query; the innermost of several. */
export function rootBesideQuery(uri: string, roots: readonly ModelRoot[]): ModelRoot | undefined {
  const all = roots.filter(({ queries }) => queries !== undefined && uri.startsWith(`${queries}/`));
  return all.sort((a, b) => (b.queries?.length ?? 0) - (a.queries?.length ?? 0))[0];
}
