import * as vscode from 'vscode';
import { statusWords } from '#features/language/status-words.ts';
import type { LanguageStatus } from '#protocol/lsp.ts';

const severities = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
} as const;

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
    const { text, detail, busy, severity, restarts } = statusWords(status);
    this.#item.text = text;
    this.#item.detail = detail;
    this.#item.busy = busy;
    this.#item.severity = severities[severity];
    this.#item.command = restarts ? { command: 'modelbench.language.restart', title: 'Restart' } : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
