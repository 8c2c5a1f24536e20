import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { plural } from '#base/words.ts';
import { text, textOf } from '#base/user-text.ts';
import { Hint } from '#shell/user-error.ts';
import type { Reviews, ReviewSource } from '#features/review/index.ts';
import { cubeReview } from '#features/language/cube-review.ts';
import type {
  CubeOfTable,
  CubeOfTableParams,
  KnownTablesParams,
  KnownTablesResult,
} from '#features/language/messages.ts';

/** The language server's answers; `undefined` if it does not run. */
export interface CubeSource {
  readonly tables: (params: KnownTablesParams) => Promise<KnownTablesResult | undefined>;
  readonly cube: (params: CubeOfTableParams) => Promise<CubeOfTable | null | undefined>;
}

/**
 * Creates a file with a cube on a table that the user chooses, after the user has reviewed it. `uri` is a file or folder of the
 * model.
 */
export async function generateCube(
  source: CubeSource,
  uri: string | undefined,
  reviews: Pick<Reviews, 'open'>,
): Promise<void> {
  if (uri === undefined) return;
  const known = await source.tables({ uri });
  if (!known?.hasModel) throw new Hint('This is not part of a data model.');
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
  const cube = relation === undefined ? undefined : await source.cube({ uri, relation });
  if (relation !== undefined && cube) await reviews.open(reviewOf(cube, relation));
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

function reviewOf({ uri, name, text: content }: CubeOfTable, relation: string): ReviewSource {
  const file = vscode.Uri.parse(uri, true);
  const path = vscode.workspace.asRelativePath(file);
  return cubeReview(
    { name, relation, path, text: content },
    {
      create: async () => createFile(file, content),
      show: async () => vscode.window.showTextDocument(file, { preview: false }),
      preview: async () => {
        const document = await vscode.workspace.openTextDocument({ language: 'yaml', content });
        return vscode.window.showTextDocument(document);
      },
    },
  );
}

/**
 * Writes a new file with its text as an edit that VS Code can undo; a file that was created meanwhile is not replaced. Resolves
 * to whether it was written.
 */
async function createFile(file: vscode.Uri, content: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(file, { overwrite: false, ignoreIfExists: false, contents: new TextEncoder().encode(content) });
  return vscode.workspace.applyEdit(edit);
}
