import * as vscode from 'vscode';
import type { LanguageStatus } from '#protocol/lsp.ts';

/** The language server's state beside the language in the status bar: indexing, ready, or the reason of a problem. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor(languages: readonly string[]) {
    this.#item = vscode.languages.createLanguageStatusItem(
      'modelbench.language',
      languages.map((language) => ({ language })),
    );
    this.#item.name = 'Modelbench';
    this.#item.text = 'Model: starting';
    this.#item.busy = true;
  }

  show(status: LanguageStatus): void {
    this.#item.busy = status.state === 'indexing';
    this.#item.severity =
      status.state === 'problem' ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.#item.text = words(status);
    this.#item.detail = status.reason ?? `${status.files} files`;
    if (status.state === 'problem') this.#item.command = { command: 'modelbench.language.restart', title: 'Restart' };
    else this.#item.command = undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function words(status: LanguageStatus): string {
  if (status.state === 'indexing') return 'Model: indexing';
  if (status.state === 'problem') return 'Model: not available';
  return `Model: ${status.cubes} cubes, ${status.views} views`;
}
