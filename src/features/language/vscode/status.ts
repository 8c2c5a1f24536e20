import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { statusText } from '#features/language/status-text.ts';
import type { LanguageStatus } from '#features/language/messages.ts';

const severities = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
} as const;

/** Shows the language server's state beside the language in the status bar: indexing, ready, or the cause of a problem. */
export class StatusItem implements vscode.Disposable {
  readonly #item: vscode.LanguageStatusItem;

  constructor(languages: readonly string[]) {
    this.#item = vscode.languages.createLanguageStatusItem(
      'modelbench.language',
      languages.map((language) => ({ language })),
    );
    this.#item.name = text`Modelbench`;
    this.#item.text = text`Model: starting`;
    this.#item.busy = true;
  }

  /** Shows a status. `deployed`: the version that the deployment of the checked model runs. */
  show(status: LanguageStatus, deployed?: string): void {
    const { detail, busy, severity, restarts, ...texts } = statusText(status, deployed);
    this.#item.text = textOf(texts.text);
    this.#item.detail = textOf(detail);
    this.#item.busy = busy;
    this.#item.severity = severities[severity];
    this.#item.command = restarts
      ? { command: 'modelbench.language.restart', title: text`Restart` }
      : status.engine?.state === 'skipped'
        ? { command: 'modelbench.language.checkModel', title: text`Check Model` }
        : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
