import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { readableTime } from '#base/timestamps.ts';
import { text } from '#base/user-text.ts';
import { expiryOf, isJwt } from '#features/data/jwt.ts';
import type { CredentialQuestion } from '#features/data/queries.ts';
import type { AskReason, CheckAnswer } from '#features/data/token-broker.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';

/**
 * Asks for the credential of a target: the API secret of a deployment, or a token. The form stays open until an input was tested
 * against the server or the user closes it.
 */
export async function askCredential({ source, host, reason }: CredentialQuestion, check: CheckAnswer): Promise<void> {
  const typed = await askChecked({
    title: text`Query Data in ${source}`,
    prompt: text`${because[reason]}Enter the API secret of the deployment (the environment variable CUBEJS_API_SECRET), or a token signed with it. It is tested with ${host} before it is stored in VS Code’s secret storage; the secret itself is never sent.`,
    password: true,
    validate: (value) => (value.trim() === '' ? 'Enter the API secret or a token.' : undefined),
    check,
  });
  if (typed === undefined || !isJwt(typed.trim())) return;
  const ends = expiryOf(typed.trim());
  if (ends === undefined) return;
  void vscode.window.showInformationMessage(
    text`The token is valid until ${readableTime(ends)}. After that, Modelbench asks for another one.`,
  );
}

const because: Readonly<Record<AskReason, string>> = {
  nothing: '',
  expired: 'The token has expired. ',
  refused: 'The server no longer accepts the stored secret or token. ',
};
