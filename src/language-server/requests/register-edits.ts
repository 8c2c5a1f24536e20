import type { Connection } from 'vscode-languageserver';
import type { LanguageSettings } from '#features/language/messages.ts';
import { actionsIn, editIn } from '#language-server/client/answers-in-terms.ts';
import type { ClientTerms } from '#language-server/client/client-terms.ts';
import { codeActions } from '#language-server/ide/actions/actions.ts';
import type { Preview } from '#language-server/ide/actions/previewed.ts';
import { prepareRename, renameAt } from '#language-server/ide/navigation/rename.ts';
import { queryActions } from '#language-server/ide/queries/query-actions.ts';
import { prepareQueryRename, renameInModel } from '#language-server/ide/queries/query-names.ts';
import type { Workspace } from '#language-server/workspace/workspace.ts';
import type { InFile } from './request-guards.ts';

/** What requests need whose answers are edits. */
interface EditNeeds {
  readonly workspace: Workspace;
  readonly options: () => {
    readonly settings: LanguageSettings;
    readonly preview: Preview;
    readonly terms: ClientTerms;
  };
}

/** Registers the fixes for problems. */
export function registerActions(connection: Connection, { workspace, options }: EditNeeds, inFile: InFile): void {
  connection.onCodeAction(
    inFile(
      'codeAction',
      null,
      (opened, { range, context }) =>
        actionsIn(
          options().terms,
          codeActions(opened, range, context.only, {
            workspace,
            canCreateFiles: options().terms.createsFiles,
            preview: options().preview,
            severity: options().settings.severity,
          }),
        ),
      (query, { range, context }) =>
        actionsIn(
          options().terms,
          queryActions(query, range, context.only, {
            isTaken: (uri) => workspace.queries.get(uri) !== undefined,
            canRenameFiles: options().terms.renamesFiles,
            preview: options().preview,
            severity: options().settings.severity,
          }),
        ),
    ),
  );
}

/** Registers the renaming of what is under the cursor. */
export function registerRename(connection: Connection, { workspace, options }: EditNeeds, inFile: InFile): void {
  connection.onPrepareRename(
    inFile(
      'prepareRename',
      null,
      (opened, { position }) => prepareRename(opened, opened.positions.offsetAt(position)),
      (query, { position }) => prepareQueryRename(query, query.positions.offsetAt(position)),
    ),
  );
  connection.onRenameRequest(
    inFile(
      'rename',
      null,
      (opened, { position, newName }) =>
        editIn(
          options().terms,
          renameAt(opened, opened.positions.offsetAt(position), newName, workspace, options().terms.renamesFiles),
        ),
      (query, { position, newName }) =>
        editIn(
          options().terms,
          renameInModel(query, query.positions.offsetAt(position), newName, workspace, options().terms.renamesFiles),
        ),
    ),
  );
}
