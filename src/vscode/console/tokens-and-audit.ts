import * as vscode from 'vscode';
import { exportAuditLog } from '#api/audit.ts';
import { createMetadataToken } from '#api/environments.ts';
import { isCancelled } from '#base/async.ts';
import { type DateRange, parseDateRange } from '#features/console/date-range.ts';
import { parseLifetime, tokenExpiry } from '#features/console/token.ts';
import { UserError } from '#features/user-error.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { askChecked } from '../platform/checked-input.ts';
import type { ConsoleServices } from './deps.ts';

/** Makes a metadata token for an environment (management 4.4); it goes to the clipboard and is never shown. */
export async function createToken(
  services: ConsoleServices,
  target: DeploymentTarget,
  environmentId: string | undefined,
): Promise<void> {
  const environment = environmentId ?? (await pickEnvironment(services, target));
  if (environment === undefined) return;
  const context = await askChecked({
    title: 'Metadata Token',
    step: 1,
    totalSteps: 2,
    prompt: 'Security context as JSON: it decides which parts of the model the token sees.',
    value: '{}',
    validate: (typed) => (readContext(typed) ? undefined : 'Enter a JSON object, for example {"tenant": "acme"}.'),
  });
  if (context === undefined) return;
  const lifetime = await askChecked({
    title: 'Metadata Token',
    step: 2,
    totalSteps: 2,
    prompt: 'How long is it valid? For example 90m, 24h or 7d.',
    value: '24h',
    validate: (typed) => (parseLifetime(typed) === undefined ? 'Enter a duration such as 90m, 24h or 7d.' : undefined),
  });
  if (lifetime === undefined) return;
  const client = services.data.client(target.accountId);
  const { data } = await client.call(createMetadataToken, {
    params: { deploymentId: target.deploymentId, environmentId: environment },
    body: { security_context: readContext(context) ?? {}, expires_in: parseLifetime(lifetime) ?? 86_400 },
  });
  await vscode.env.clipboard.writeText(data.token);
  const ends = tokenExpiry(data.token)?.toLocaleString();
  void vscode.window.showInformationMessage(
    `The metadata token is on the clipboard${ends === undefined ? '' : ` and ends ${ends}`}. It opens metadata only, no data.`,
  );
}

function readContext(typed: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(typed);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}

async function pickEnvironment(services: ConsoleServices, target: DeploymentTarget): Promise<string | undefined> {
  const environments = await services.data.of(target).environments.get();
  const items = environments.map(({ id, name, type }) => ({ label: name, description: type, id }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'A token for which environment?' }))?.id;
}

/** Streams the audit log to a CSV file; cancelling or failing leaves no half file. */
export async function exportAudit(services: ConsoleServices, accountId: string): Promise<void> {
  const query = await askRange('Export Audit Log');
  if (!query) return;
  const file = await vscode.window.showSaveDialog({
    title: 'Export Audit Log',
    filters: { CSV: ['csv'] },
    defaultUri: vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'),
      'audit-log.csv',
    ),
  });
  if (!file) return;
  const bytes = await services.operations.run({
    label: 'Exporting the audit log',
    key: `audit ${accountId}`,
    cancellable: true,
    run: async ({ signal, report }) => {
      const response = await services.data.client(accountId).open(exportAuditLog, { query }, { signal });
      return download(response, file, (size) => report(`${Math.round(size / 1024)} KB`), signal);
    },
  });
  vscode.window.setStatusBarMessage(`$(check) ${Math.round(bytes / 1024)} KB of audit log saved`, 5000);
  await vscode.commands.executeCommand('vscode.open', file);
}

/** A time range in days; empty: everything. */
export async function askRange(title: string): Promise<DateRange | undefined> {
  const typed = await askChecked({
    title,
    prompt: 'From and to as dates, for example 2026-01-01 2026-02-01; leave empty for everything.',
    validate: (text) => {
      const range = parseDateRange(text);
      return range.ok ? undefined : range.error;
    },
  });
  const range = typed === undefined ? undefined : parseDateRange(typed);
  return range?.ok === true ? range.value : undefined;
}

/** Writes beside the target first, so that a file of that name is either whole or not there. */
async function download(
  response: Response,
  file: vscode.Uri,
  onSize: (bytes: number) => void,
  signal: AbortSignal,
): Promise<number> {
  if (!response.body) throw new UserError('The platform sent no audit log.');
  const { createWriteStream } = await import('node:fs');
  const { Readable } = await import('node:stream');
  const { pipeline } = await import('node:stream/promises');
  const part = file.with({ path: `${file.path}.part` });
  let size = 0;
  try {
    const source = Readable.fromWeb(response.body);
    source.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      onSize(size);
    });
    await pipeline(source, createWriteStream(part.fsPath), { signal });
    await vscode.workspace.fs.rename(part, file, { overwrite: true });
    return size;
  } catch (error) {
    await vscode.workspace.fs.delete(part).then(undefined, () => undefined);
    if (isCancelled(error) || signal.aborted) throw signal.reason ?? error;
    throw error;
  }
}
