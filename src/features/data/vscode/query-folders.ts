import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { DisposableStore } from '#base/disposable.ts';
import { dirName } from '#base/path.ts';
import { queryGlob } from '#features/data/query-glob.ts';
import { queryFolder } from '#model/query-files/query-folder.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';

/** A folder of the window, and the folder beside it, outside of the window, with queries about it if it is a model itself. */
interface Beside {
  readonly folder: vscode.Uri;
  readonly queries: vscode.Uri;
}

function besides(): readonly Beside[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
    const path = queryFolder(uri.path, 'whole');
    const queries = path === undefined ? undefined : uri.with({ path });
    return queries && !vscode.workspace.getWorkspaceFolder(queries) ? [{ folder: uri, queries }] : [];
  });
}

/** Returns the folder of the window that a file is about: beside which it lies, or else the file itself. */
export function subjectOf(uri: vscode.Uri): vscode.Uri {
  const isBeside = ({ queries }: Beside): boolean => uri.toString().startsWith(`${queries.toString()}/`);
  // With `model` and `shop` open, `queries/shop` is about `shop`.
  const [nearest] = besides()
    .filter(isBeside)
    .sort((a, b) => b.queries.path.length - a.queries.path.length);
  return nearest?.folder ?? uri;
}

/** Resolves to the query files in the folders of the window and beside them; where `most` is given, it may resolve to fewer. */
export async function findQueryFiles(most?: number): Promise<readonly vscode.Uri[]> {
  const search = async (pattern: vscode.GlobPattern): Promise<readonly vscode.Uri[]> =>
    vscode.workspace.findFiles(pattern, '**/node_modules/**', most);
  const found = [
    search(queryGlob),
    ...besides().map(async ({ queries }) =>
      (await exists(queries)) ? search(new vscode.RelativePattern(queries, queryGlob)) : [],
    ),
  ];
  return [...new Map((await Promise.all(found)).flat().map((uri) => [uri.toString(), uri])).values()];
}

/**
 * Reports folders of queries that are created or deleted as a whole, for example by a checkout: VS Code then names the folder,
 * and may report nothing about its files. Also reports each change beside the folders of the window.
 */
export function watchQueryFolders(told: () => void): vscode.Disposable {
  const store = new DisposableStore();
  let outside = store.add(new DisposableStore());
  const follow = (into: DisposableStore, pattern: vscode.GlobPattern, isFolder: boolean): void => {
    const watcher = into.add(vscode.workspace.createFileSystemWatcher(pattern, false, isFolder, false));
    const listener = isFolder && into === outside ? again : told;
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) event(listener);
  };
  // VS Code watches a folder only once it exists.
  const followOutside = (): void => {
    store.delete(outside);
    outside = store.add(new DisposableStore());
    for (const { folder, queries } of besides()) {
      follow(outside, new vscode.RelativePattern(queries, queryGlob), false);
      // `queries`, or `queries` and a folder in it.
      let above = folder.with({ path: dirName(folder.path) || '/' });
      for (const name of queries.path.slice(dirName(folder.path).length + 1).split('/')) {
        follow(outside, new vscode.RelativePattern(above, name), true);
        above = vscode.Uri.joinPath(above, name);
      }
    }
  };
  const again = (): void => {
    followOutside();
    told();
  };
  follow(store, '**/queries', true);
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(again));
  followOutside();
  return store;
}
