import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isCancelled } from '#base/async.ts';
import { exportedEvents } from '#features/audit/audit-log.ts';
import { askAuditQuery } from './audit-query.ts';
import type { AuditDeps } from './deps.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Saves the events of the audit log that the user asks for as a CSV file, the same ones that the table shows for these filters. A cancelled or failed export leaves no partial file. */
export async function exportAudit(services: Pick<AuditDeps, 'data' | 'operations'>, accountId: string): Promise<void> {
  const query = await askAuditQuery('Export Audit Log');
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
  let note = '';
  const bytes = await services.operations.run({
    label: 'Exporting the audit log',
    key: `audit ${accountId}`,
    cancellable: true,
    run: async ({ signal, report }) => {
      const bytes = exportedEvents(services, accountId, {
        ...query,
        signal,
        note: (text) => {
          note = text;
        },
      });
      return download(bytes, file, (size) => report(`${Math.round(size / 1024)} KB`), signal);
    },
  });
  if (note !== '') void vscode.window.showInformationMessage(textOf(note));
  vscode.window.setStatusBarMessage(text`$(check) ${Math.ceil(bytes / 1024)} KB of audit log saved`, 5000);
  await executeBuiltIn('vscode.open', file);
}

/** Writes to a temporary file next to the target first, so that the target is either complete or unchanged. */
async function download(
  bytes: AsyncIterable<Uint8Array>,
  file: vscode.Uri,
  onSize: (bytes: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const { createWriteStream } = await import('node:fs');
  const { Readable } = await import('node:stream');
  const { pipeline } = await import('node:stream/promises');
  const unfinished = file.with({ path: `${file.path}.part` });
  let size = 0;
  try {
    const source = Readable.from(bytes);
    source.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      onSize(size);
    });
    await pipeline(source, createWriteStream(unfinished.fsPath), { signal });
    await vscode.workspace.fs.rename(unfinished, file, { overwrite: true });
    return size;
  } catch (error) {
    await vscode.workspace.fs.delete(unfinished).then(undefined, () => undefined);
    if (isCancelled(error) || signal.aborted) throw signal.reason ?? error;
    throw error;
  }
}
