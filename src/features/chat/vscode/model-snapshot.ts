import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { mapLimited } from '#base/async.ts';
import { pathInside } from '#base/path.ts';
import type { ModelWhenAsked } from '#chat-core/proposal-records.ts';
import type { ChatModelDeps } from './deps.ts';

/** Beyond these limits a snapshot is partial: proposals for missing files can only be opened as drafts. */
const MOST_FILES = 10_000;
const MOST_CHARACTERS = 32_000_000;
const LONGEST_FILE = 1_000_000;
const READS = 16;

/** Resolves to the model of the linked folder on disk, and the branch's texts of files that differ. */
export async function takeSnapshot({
  modelFolder,
  branchTexts,
}: Pick<ChatModelDeps, 'modelFolder' | 'branchTexts'>): Promise<ModelWhenAsked | undefined> {
  const folder = modelFolder();
  if (!folder) return undefined;
  const inModel = folder.modelPath === '' ? '' : `${folder.modelPath}/`;
  const pattern = new vscode.RelativePattern(folder.uri, `${inModel}**/*.{yml,yaml,js,jinja}`);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', MOST_FILES + 1);
  const local = new Map<string, string>();
  let [left, isComplete] = [MOST_CHARACTERS, found.length <= MOST_FILES];
  await mapLimited(found.slice(0, MOST_FILES), READS, async (uri) => {
    const text = await textOf(uri);
    if (text === undefined || text.length > LONGEST_FILE || text.length > left) {
      isComplete = false;
      return;
    }
    left -= text.length;
    local.set(pathInside(uri.path, folder.uri.path) ?? uri.path, text);
  });
  const branch = await branchTexts().catch(() => new Map<string, string>());
  return { local, branch: new Map([...branch].map(([path, text]) => [path, unified(text)])), isComplete };
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return unified(decodedText(await vscode.workspace.fs.readFile(uri)));
  } catch {
    return undefined;
  }
}

function unified(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
