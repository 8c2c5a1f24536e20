import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';

/** The outcome of a bulk action. */
export interface BulkReport {
  /** The successful items as text: `2 users`. */
  readonly done: string;
  /** The participle of the action: `deleted`. */
  readonly verb: string;
  readonly failed: readonly { readonly name: string; readonly error: string }[];
  /** Repeats the action for the failed items. */
  readonly retry: () => Promise<void>;
}

const mostReasons = 5;
const retryFailed = text`Retry Failed`;
const showAll = text`Show All`;

/** Reports the outcome and the reason of each failure, and offers to retry the failed items. */
export async function reportBulk({ done, verb, failed, retry }: BulkReport): Promise<void> {
  if (failed.length === 0) {
    vscode.window.setStatusBarMessage(text`$(check) ${done} ${verb}`, 5000);
    return;
  }
  const reasons = failed.map(({ name, error }) => `${name}: ${error}`);
  const rest = failed.length > mostReasons ? ` And ${failed.length - mostReasons} more.` : '';
  const answer = await vscode.window.showWarningMessage(
    text`${done} ${verb}, ${failed.length} not. ${reasons.slice(0, mostReasons).join(' ')}${rest}`,
    ...(rest === '' ? [retryFailed] : [retryFailed, showAll]),
  );
  if (answer === showAll) await showReasons(reasons);
  if (answer === retryFailed) await retry();
}

async function showReasons(reasons: readonly string[]): Promise<void> {
  const content = `${reasons.join('\n')}\n`;
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'plaintext' }));
}

const mostNames = 20;

/** Lists names for a question about several items. */
export function namesOf(items: readonly { readonly name: string }[]): string {
  const names = items.slice(0, mostNames).map(({ name }) => name);
  return `${names.join(', ')}${items.length > mostNames ? ` and ${items.length - mostNames} more` : ''}`;
}
