import { decodedText } from '#base/decoded-text.ts';
import { pathInside } from '#base/path.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import type { ModelTexts } from '#features/review/index.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { fileUri } from './folder-uris.ts';

/** Resolves to the models of a linked folder by path, except the named ones. */
export async function modelTexts(
  { folderId, link }: SyncSession['folder'],
  named: ReadonlySet<string>,
): Promise<ModelTexts> {
  const root = fileUri({ folderId, path: '' });
  const base = fileUri({ folderId, path: link.modelPath });
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(base, models), ignored, mostFiles);
  const texts = new Map<string, string>();
  for (const uri of found) {
    const path = pathInside(uri.path, root.path) ?? uri.path;
    if (named.has(path)) continue;
    // A file may be deleted while the others are read.
    const bytes = await Promise.resolve(vscode.workspace.fs.readFile(uri)).catch(() => undefined);
    if (bytes) texts.set(path, decodedText(bytes));
  }
  return texts;
}

const models = '**/*.{yml,yaml,jinja,js}';
const ignored = '**/node_modules/**';
/** A larger model is not read as a whole; changes in the ticked files are still shown. */
const mostFiles = 5000;
