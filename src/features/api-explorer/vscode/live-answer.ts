import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Disposable } from '#base/disposable.ts';
import type { ApiAnswer, ArrivingAnswer } from '#features/api-explorer/answer.ts';
import type { ExplorerFiles } from './files.ts';

/** How often the document of a stream is updated, in milliseconds. */
const pause = 100;

/** The document of one response, next to its request. A stream is shown while it arrives, everything else when it is complete. */
export class LiveAnswer implements Disposable {
  readonly #files: ExplorerFiles;
  readonly #uriOf: (answer: ArrivingAnswer) => vscode.Uri;
  #snapshot: (() => ArrivingAnswer) | undefined;
  #uri: vscode.Uri | undefined;
  #opening: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** `place` returns the URI of the document once the response begins to arrive. */
  constructor(files: ExplorerFiles, uriOf: (answer: ArrivingAnswer) => vscode.Uri) {
    this.#files = files;
    this.#uriOf = uriOf;
  }

  arriving(snapshot: () => ArrivingAnswer): void {
    this.#snapshot = snapshot;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#snapshot) this.#put(this.#snapshot());
    }, pause);
  }

  /** Shows the complete response; resolves to its document. */
  async end(answer: ApiAnswer): Promise<vscode.Uri> {
    this.dispose();
    const uri = this.#put(answer);
    await this.#opening;
    return uri;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = undefined;
  }

  #put(answer: ArrivingAnswer): vscode.Uri {
    const isFirst = this.#uri === undefined;
    const uri = (this.#uri ??= this.#uriOf(answer));
    this.#files.put(uri, answer.text);
    if (isFirst) this.#opening = open(uri);
    return uri;
  }
}

async function open(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: true,
    preserveFocus: true,
  });
}
