import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { CapabilityFilter } from '#api/description/capabilities.ts';
import type { Account } from '#features/accounts/index.ts';
import { describedText, readDescription } from '#features/api-explorer/description.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { ExplorerDeps } from './deps.ts';
import { answerUri } from './uris.ts';

/** Distinguishes the descriptions that were opened. */
let opened = 0;

/**
 * Opens the server's own API description (docs/platform-api.md#capabilities): all of it, or only the operations of a tag or path.
 */
export async function openDescription(services: ExplorerDeps, { id }: Account): Promise<void> {
  const description = await readDescription(services, id);
  const picked = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly filter?: CapabilityFilter }>(
    [
      { label: text`Everything`, description: text`${description.count} operations`, filter: {} },
      { label: text`Filter by Path…`, description: text`operations whose path contains a text` },
      ...description.tags.map((tag) => ({ label: textOf(tag), description: text`tag`, filter: { tag } })),
    ],
    { title: text`Open API Description`, placeHolder: text`Which operations do you want to see?` },
  );
  if (!picked) return;
  const filter = picked.filter ?? (await askPath());
  if (!filter) return;
  const shown = describedText(description, filter);
  opened += 1;
  const uri = answerUri(id, opened, `API description ${opened}.json`);
  services.requests.files.put(uri, shown);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
}

async function askPath(): Promise<CapabilityFilter | undefined> {
  const typed = await askChecked({
    title: text`Open API Description`,
    prompt: text`Part of the path, for example /reports`,
    validate: (path) => (path.trim() === '' ? 'Enter part of the path.' : undefined),
  });
  return typed === undefined ? undefined : { path: typed.trim() };
}
