import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText, withIcon } from '#base/user-text.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import type { DocumentTarget } from '#shell/targets.ts';
import type { Requests } from './requests.ts';

/** Code lenses: above a request, to send or copy it; above a response, its status and a link to send the request again. */
export class RequestLenses implements vscode.CodeLensProvider, Disposable {
  readonly #requests: Requests;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening = new DisposableStore();

  /** `inputs` fire when the request of a document may have changed. */
  constructor(requests: Requests, inputs: readonly Event<void>[]) {
    this.#requests = requests;
    for (const input of inputs) this.#listening.add(input(() => this.#changed.fire()));
  }

  get onDidChangeCodeLenses(): vscode.Event<void> {
    return this.#changed.event;
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const request = this.#requests.requestAt(uri);
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: UserText, command: string, target?: vscode.Uri): vscode.CodeLens =>
      new vscode.CodeLens(top, {
        title,
        command,
        arguments: target ? [{ uri: target.toString() } satisfies DocumentTarget] : [],
      });
    if (request) {
      const { op } = request.entry;
      return [
        lens(text`$(play) Send`, 'modelbench.apiExplorer.send', uri),
        lens(text`$(copy) Copy as curl`, 'modelbench.apiExplorer.copyAsCurl', uri),
        lens(text`${op.method} ${op.path} — ${op.summary}`, ''),
      ];
    }
    const answer = this.#requests.answerAt(uri);
    if (!answer) return [];
    return [
      lens(withIcon(answer.ok ? 'check' : 'error', textOf(answer.line)), ''),
      lens(text`$(debug-rerun) Send Again`, 'modelbench.apiExplorer.send', answer.request),
    ];
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
