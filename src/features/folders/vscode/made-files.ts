import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { dirName } from '#base/path.ts';
import { sha1 } from '#features/platform/index.ts';

/** The files that a clone makes in a folder, so that exactly these and their folders can be removed. */
export class MadeFiles {
  readonly #folder: vscode.Uri;
  readonly #isNew: boolean;
  readonly #hashes = new Map<string, string>();

  /** `isNew`: whether the folder itself was made, too. */
  constructor(folder: vscode.Uri, isNew: boolean) {
    this.#folder = folder;
    this.#isNew = isNew;
  }

  /** Records a file that is made, or will be, by its path in the folder and the SHA-1 of its bytes. */
  add(path: string, hash: string): void {
    this.#hashes.set(path, hash);
  }

  /** Removes the files that are unchanged since, and then what is empty: their folders, and the folder if it was made. */
  async remove(): Promise<void> {
    const folders = new Set<string>();
    for (const [path, hash] of this.#hashes) {
      const uri = vscode.Uri.joinPath(this.#folder, path);
      const bytes = await vscode.workspace.fs.readFile(uri).then(
        (read) => read,
        () => undefined,
      );
      if (bytes && (await sha1(bytes)) === hash) await vscode.workspace.fs.delete(uri);
      for (let parent = dirName(path); parent !== ''; parent = dirName(parent)) folders.add(parent);
    }
    const innermostFirst = [...folders].sort((a, b) => b.length - a.length);
    for (const path of innermostFirst) await removeIfEmpty(vscode.Uri.joinPath(this.#folder, path));
    if (this.#isNew) await removeIfEmpty(this.#folder);
  }
}

async function removeIfEmpty(folder: vscode.Uri): Promise<void> {
  try {
    // Without `recursive`, a folder in which a file was made meanwhile is not deleted.
    if ((await vscode.workspace.fs.readDirectory(folder)).length === 0) await vscode.workspace.fs.delete(folder);
  } catch {
    // It is gone, or it is not empty any more.
  }
}
