import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { CancelledError } from '#base/async.ts';
import { type Account, hostOf } from '#features/accounts/accounts.ts';
import { type CliContext, cliConfigPath, parseCliContexts } from '#features/accounts/cli-contexts.ts';
import { importSignIns, isImported } from '#features/accounts/import-sign-ins.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { NewKeyPorts } from '#features/accounts/new-key.ts';
import { textIfThere } from '#shell/vscode/files-on-disk.ts';

/** Offers the sign-ins of the platform's command-line client, tries the picked ones and stores those that work. */
export async function importContexts(services: NewKeyPorts): Promise<void> {
  const { contexts, problems } = await readContexts();
  if (contexts.length === 0) {
    throw new Hint(problems[0] ?? 'The command-line client has no sign-in to import. Sign in with a key instead.');
  }
  const picked = await pickContexts(contexts, services.accounts.all.value, problems);
  if (!picked || picked.length === 0) return;
  const refused = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: text`Importing sign-ins`, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort(new CancelledError()));
      return importSignIns(services, picked, {
        signal: controller.signal,
        onTry: (name) => progress.report({ message: textOf(name) }),
      });
    },
  );
  const done = picked.length - refused.length;
  if (done > 0) vscode.window.setStatusBarMessage(text`$(check) ${countOf(done)} imported`, 5000);
  if (refused.length > 0) {
    throw new UserError(
      `${countOf(refused.length)} could not be imported. ${refused.map(({ name, reason }) => `${name}: ${reason}`).join(' ')}`,
    );
  }
}

async function readContexts(): Promise<{ contexts: readonly CliContext[]; problems: readonly string[] }> {
  const path = cliConfigPath(process.platform, process.env);
  const text = path === undefined ? undefined : await readText(vscode.Uri.file(path));
  if (text === undefined) {
    throw new Hint(
      `There is no configuration of the command-line client on this machine${path === undefined ? '' : ` (${path})`}.`,
    );
  }
  const parsed = parseCliContexts(text);
  if (!parsed.ok) throw new UserError(parsed.error);
  return parsed.value;
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return await textIfThere(uri);
  } catch {
    throw new UserError(`${uri.fsPath} cannot be read. Check its permissions.`);
  }
}

async function pickContexts(
  contexts: readonly CliContext[],
  accounts: readonly Account[],
  problems: readonly string[],
): Promise<readonly CliContext[] | undefined> {
  const items = contexts.map((context) => {
    const known = isImported(context, accounts);
    const notes = [context.isDefault ? 'default' : '', known ? 'imported before: its key will be updated' : ''];
    return {
      label: textOf(context.name),
      description: textOf([hostOf(context.tenantUrl), ...notes.filter((note) => note !== '')].join(' · ')),
      // A refresh token often works only once: the first client that uses it wins.
      ...(context.refreshToken === undefined
        ? {}
        : { detail: text`From a browser sign-in: the command-line client may have to sign in again later.` }),
      picked: context.isDefault && !known,
      context,
    };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Import Sign-Ins of the Command-Line Client`,
    placeHolder: textOf(problems[0] ?? 'Which sign-ins do you want to import?'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ context }) => context);
}

function countOf(count: number): string {
  return count === 1 ? 'One sign-in' : `${count} sign-ins`;
}
