import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { passage, text } from '#base/user-text.ts';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { AskEngine, EngineMessage, EngineVerdict } from '#chat-core/proposal-ports.ts';
import type { WhileChecking } from '#chat-core/proposal-review.ts';
import type { ProposalVerdict } from '#features/language/messages.ts';
import type { ChatModelDeps } from './deps.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Time limit for checking a proposal before it is accepted. */
const LIMIT_MS = 30_000;
/** The number of engine errors in a question. */
const MOST_ERRORS = 5;

/** Returns a function that asks the engine through the language server. It takes paths in the folder; the engine takes URIs. */
export function engineCheck(
  { proposals }: Pick<ChatModelDeps, 'proposals'>,
  folderNow: () => vscode.Uri | undefined,
): AskEngine {
  return async (changes, signal) => {
    const folder = folderNow();
    if (!folder) return { state: 'unknown', reason: 'No folder is open.' };
    const limit = AbortSignal.timeout(LIMIT_MS);
    const files = changes.map(({ path, text: proposed }) => ({
      uri: vscode.Uri.joinPath(folder, path).toString(),
      text: proposed,
    }));
    const verdict = await proposals.check(files, signal ? AbortSignal.any([signal, limit]) : limit);
    if (limit.aborted) return { state: 'unknown', reason: 'The check took too long, so it was stopped.' };
    return engineVerdict(verdict, folder);
  };
}

/** Resolves to false if the engine refuses a text and the user does not want it anyway, or if the check is cancelled. */
export async function mayBeWritten(ask: AskEngine, path: string, after: string): Promise<boolean> {
  const verdict = await whileChecking(async (signal) => {
    const answer = await ask([{ path, text: after }], signal);
    return signal.aborted ? undefined : answer;
  });
  if (!verdict) return false;
  return verdict.state !== 'refused' || acceptsRefused(verdict.errors);
}

/** Runs a check with progress that the user can see and cancel. */
export const whileChecking: WhileChecking = async (work) =>
  vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: text`Checking the change with the engine`,
      cancellable: true,
    },
    async (_, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return work(controller.signal);
    },
  );

/** Asks the user whether to accept a change although the engine refuses it. */
export async function acceptsRefused(errors: readonly EngineMessage[]): Promise<boolean> {
  const lines = errors.slice(0, MOST_ERRORS).map(({ message, location }) => {
    const where = location ? `${location.path}, line ${location.line + 1}: ` : '';
    return `${where}${message}`;
  });
  const more = errors.length - lines.length;
  const detail = passage([...lines, ...(more > 0 ? [`and ${plural(more, 'other error')}`] : [])].join('\n'));
  return confirmed(text`The engine refuses the model with this change.`, text`Accept Anyway`, detail);
}

function engineVerdict(verdict: ProposalVerdict, folder: vscode.Uri): EngineVerdict {
  switch (verdict.state) {
    case 'accepted':
      return verdict;
    case 'skipped':
      return { state: 'unknown', reason: verdict.reason };
    case 'refused':
      return {
        state: 'refused',
        errors: verdict.errors.map(({ message, location }) => ({
          message,
          location: location && { path: pathIn(folder, vscode.Uri.parse(location.uri, true)), line: location.line },
        })),
      };
    default:
      return unreachable(verdict);
  }
}

function pathIn(folder: vscode.Uri, file: vscode.Uri): string {
  return file.path.slice(folder.path.replace(/\/$/, '').length + 1);
}
