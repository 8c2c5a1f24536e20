import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { plural } from '#base/words.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type {
  CubeOfTable,
  CubeOfTableParams,
  KnownTablesParams,
  KnownTablesResult,
} from '#features/language/messages.ts';

/** What the language server answers; undefined while it does not run. */
export interface CubeSource {
  readonly tables: (params: KnownTablesParams) => Promise<KnownTablesResult | undefined>;
  readonly cube: (params: CubeOfTableParams) => Promise<CubeOfTable | null | undefined>;
}

/**
 * Makes a file with a cube on a table that the user chooses, once the user has reviewed it. `uri` is a file or folder of the
 * model; without one, the active editor or the only folder says which model is meant.
 */
export async function generateCube(source: CubeSource, uri: string | undefined): Promise<void> {
  const place = uri ?? placeOfWindow();
  const known = place === undefined ? undefined : await source.tables({ uri: place });
  if (place === undefined || !known?.hasModel) {
    void vscode.window.showInformationMessage('Open a file of the model that the cube is for.');
    return;
  }
  if (known.tables.length === 0) {
    const [problem] = known.problems;
    void vscode.window.showInformationMessage(
      problem === undefined
        ? 'No tables are known. Run “dbt docs generate” in a dbt project of this folder, or save a list as modelbench.tables.json.'
        : textOf(problem),
    );
    return;
  }
  const relation = await chooseTable(known);
  const cube = relation === undefined ? undefined : await source.cube({ uri: place, relation });
  if (cube) await createReviewed(cube);
}

function placeOfWindow(): string | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const folders = vscode.workspace.workspaceFolders ?? [];
  return (document?.uri ?? (folders.length === 1 ? folders[0]?.uri : undefined))?.toString();
}

async function chooseTable({ tables }: KnownTablesResult): Promise<string | undefined> {
  const items = tables.map(({ relation, columns, description }) => ({
    label: textOf(relation),
    description: text`${plural(columns, 'column')}`,
    ...(description === undefined ? {} : { detail: textOf(description) }),
    relation,
  }));
  const options = { placeHolder: text`Which table is the cube about?`, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.relation;
}

/** Creates the file in VS Code's own preview of changes; one that is there in the meantime stays as it is. */
async function createReviewed({ uri, name, text: content }: CubeOfTable): Promise<void> {
  const file = vscode.Uri.parse(uri, true);
  const edit = new vscode.WorkspaceEdit();
  const review = { label: text`Generate cube ${name}`, needsConfirmation: true };
  edit.createFile(file, { overwrite: false, ignoreIfExists: false }, review);
  edit.insert(file, new vscode.Position(0, 0), content, review);
  const isApplied = await vscode.workspace.applyEdit(edit);
  const document = isApplied
    ? await Promise.resolve(vscode.workspace.openTextDocument(file)).catch(() => undefined)
    : undefined;
  // Without a file, or with another text, the user did not take it.
  if (document?.getText() === content) {
    await document.save();
    await vscode.window.showTextDocument(document);
  } else if (!isApplied) void vscode.window.showInformationMessage(text`${baseName(file.path)} was not created.`);
}
