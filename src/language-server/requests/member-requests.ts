import type { Connection } from 'vscode-languageserver';
import { membersAsWritten, type MembersAsWrittenParams } from '#features/language/messages.ts';
import { writtenMembers } from '#language-server/ide/navigation/written-members.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { Workspace } from '#language-server/workspace/workspace.ts';

/** Answers requests for the members of a model as it is written. */
export function answerMemberRequests(connection: Connection, workspace: Workspace): void {
  connection.onRequest(membersAsWritten, async ({ uri }: MembersAsWrittenParams) => {
    // A window that has just opened asks before the model has been read.
    await workspace.firstRead;
    const root = workspace.modelOf(normalizeUri(uri));
    return root ? writtenMembers(root.index) : [];
  });
}
