import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { planSkills, type SkillFile, skillReaders } from '#features/folders/agent-skills.ts';
import { requireInFolder, writeInFolder } from '#features/platform/vscode/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { SkillDeps } from './deps.ts';
import { textIfThere } from '#shell/vscode/files-on-disk.ts';

/** Writes the extension's skills into a folder of the window, for the assistants that the user chooses. */
export async function installAgentSkills({ context }: SkillDeps): Promise<void> {
  const folder = await chooseFolder();
  if (!folder) return;
  const items = skillReaders.map((reader) => ({
    label: textOf(reader.label),
    description: textOf(reader.folder),
    reader,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    ignoreFocusOut: true,
    placeHolder: text`Which assistants do you use in this project?`,
  });
  if (!chosen || chosen.length === 0) return;
  const skills = await shippedSkills(vscode.Uri.joinPath(context.extensionUri, 'media', 'skills'));
  const readers = chosen.map(({ reader }) => reader);
  const { added, changed } = await planSkills(skills, readers, async (path) =>
    textIfThere(vscode.Uri.joinPath(folder, path)),
  );
  const replaced = changed.length > 0 ? await chooseReplaced(changed) : [];
  if (!replaced) return;
  const written = [...added, ...replaced];
  // Before the first one is written.
  for (const { path } of written) requireInFolder(folder, path);
  for (const { path, text: content } of written) await writeInFolder(folder, path, content);
  void vscode.window.showInformationMessage(
    written.length === 0
      ? text`The skills are up to date.`
      : text`Installed ${plural(written.length, 'skill file')} in ${readers.map((reader) => reader.folder).join(', ')}.`,
  );
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) throw new Hint('Open the folder of your project first.');
  if (folders.length === 1) return folders[0]?.uri;
  const items = folders.map(({ name, uri }) => ({ label: textOf(name), uri }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which folder gets the skills?` }))?.uri;
}

/** Asks which existing files to replace: they may contain the team's own text. Resolves to `undefined` if the user cancels. */
async function chooseReplaced(changed: readonly SkillFile[]): Promise<readonly SkillFile[] | undefined> {
  const replace = text`Replace ${plural(changed.length, 'File')}`;
  const keep = text`Keep Mine`;
  const chosen = await vscode.window.showWarningMessage(
    text`${plural(changed.length, 'skill file')} of this project ${changed.length === 1 ? 'differs' : 'differ'} from those of this version of Modelbench.`,
    { modal: true, detail: textOf(changed.map(({ path }) => path).join(', ')) },
    replace,
    keep,
  );
  return chosen === replace ? changed : chosen === keep ? [] : undefined;
}

async function shippedSkills(folder: vscode.Uri): Promise<ReadonlyMap<string, string>> {
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const texts = await Promise.all(
    entries.map(
      async ([name]) => [name, (await textIfThere(vscode.Uri.joinPath(folder, name, 'SKILL.md'))) ?? ''] as const,
    ),
  );
  return new Map(texts);
}
