import * as vscode from 'vscode';

/** What became of many things that a person had something done to. */
export interface BulkReport {
  /** How many it was done to, in words: `2 users`. */
  readonly done: string;
  /** `deleted` */
  readonly verb: string;
  readonly failed: readonly { readonly name: string; readonly error: string }[];
  /** Does it again to those that failed. */
  readonly retry: () => Promise<void>;
}

const mostReasons = 5;
const retryFailed = 'Retry Failed';
const showAll = 'Show All';

/** Says what was done, and of each failure why; those can be tried again. */
export async function reportBulk({ done, verb, failed, retry }: BulkReport): Promise<void> {
  if (failed.length === 0) {
    vscode.window.setStatusBarMessage(`$(check) ${done} ${verb}`, 5000);
    return;
  }
  const reasons = failed.map(({ name, error }) => `${name}: ${error}`);
  const rest = failed.length > mostReasons ? ` And ${failed.length - mostReasons} more.` : '';
  const answer = await vscode.window.showWarningMessage(
    `${done} ${verb}, ${failed.length} not. ${reasons.slice(0, mostReasons).join(' ')}${rest}`,
    retryFailed,
    ...(rest === '' ? [] : [showAll]),
  );
  if (answer === showAll) await showReasons(reasons);
  if (answer === retryFailed) await retry();
}

async function showReasons(reasons: readonly string[]): Promise<void> {
  const content = `${reasons.join('\n')}\n`;
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
}

const mostNames = 20;

/** Names for a question about many things. */
export function namesOf(items: readonly { readonly name: string }[]): string {
  const names = items.slice(0, mostNames).map(({ name }) => name);
  return `${names.join(', ')}${items.length > mostNames ? ` and ${items.length - mostNames} more` : ''}`;
}
