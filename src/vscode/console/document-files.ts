import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { UserError } from '#features/user-error.ts';

/** An object of the platform that is edited as JSON. */
export interface PlatformDocument {
  /** Unique and readable: it is the document's path, for example `/deployment 1/environment variables.json`. */
  readonly path: string;
  /** What the editor shows. */
  read(): Promise<unknown>;
  /**
   * Takes an edited document; throws `UserError` with what is wrong, or when the person says no. Answers what the
   * platform has now, or nothing when that is what was saved.
   */
  save(edited: unknown): Promise<unknown>;
  /** Only to be read. */
  readonly isReadonly?: boolean | undefined;
}

export const objectScheme = 'modelbench-object';

interface OpenDocument {
  readonly document: PlatformDocument;
  text: string;
  mtime: number;
  /** Kept by auto save, not sent. */
  unsent: boolean;
  /** What the platform made of the last save, until VS Code has noticed that the save is over. */
  answered: string | undefined;
}

/** The files of open platform documents: a person's own save sends one; auto save only keeps its text. */
export class DocumentFiles implements vscode.FileSystemProvider, vscode.FileDecorationProvider, Disposable {
  readonly #scheme: string;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #marks = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned = new DisposableStore();
  /** Paths that are being saved because a person asked for it. */
  readonly #asked = new Set<string>();

  /** `scheme`: each bundle of the extension has a file system of its own. */
  constructor(scheme: string = objectScheme) {
    this.#scheme = scheme;
    this.#owned.add(this.#changed);
    this.#owned.add(this.#marks);
    this.#owned.add(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
    this.#owned.add(vscode.window.registerFileDecorationProvider(this));
    this.#owned.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#settle(uri);
      }),
    );
    this.#owned.add(
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (uri.scheme === scheme && reason === vscode.TextDocumentSaveReason.Manual) this.#asked.add(uri.path);
      }),
    );
  }

  /** Whether a document has changes that were not sent: opening it anew would lose them. */
  hasChanges(uri: vscode.Uri): boolean {
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    return open?.isDirty === true || (open !== undefined && this.#documents.get(uri.path)?.unsent === true);
  }

  get onDidChangeFileDecorations(): vscode.Event<vscode.Uri> {
    return this.#marks.event;
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== this.#scheme || this.#documents.get(uri.path)?.unsent !== true) return undefined;
    return new vscode.FileDecoration('!', 'Not sent: save it yourself to send it to the platform', unsentColor);
  }

  get onDidChangeFile(): vscode.Event<vscode.FileChangeEvent[]> {
    return this.#changed.event;
  }

  /** Reads the object anew and shows it. */
  async open(document: PlatformDocument, column?: vscode.ViewColumn): Promise<void> {
    const uri = await this.hold(document);
    const editor = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(editor, document.path.endsWith('.jsonc') ? 'jsonc' : 'json');
    await vscode.window.showTextDocument(editor, {
      preview: false,
      ...(column === undefined ? {} : { viewColumn: column }),
    });
  }

  /** Shows a Markdown text rendered; nothing of it can be sent. */
  async preview(path: string, text: string): Promise<void> {
    const uri = await this.hold({
      path,
      read: () => Promise.resolve(text),
      save: () => Promise.resolve(undefined),
    });
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  uriOf(path: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.#scheme, path });
  }

  /** Shows a value of the platform, for reading, beside a document. */
  async compare(
    { path, value }: { readonly path: string; readonly value: unknown },
    document: vscode.Uri,
    title: string,
  ): Promise<void> {
    const left = await this.hold({
      path,
      read: () => Promise.resolve(value),
      save: () => Promise.resolve(undefined),
      isReadonly: true,
    });
    await vscode.commands.executeCommand('vscode.diff', left, document, title);
  }

  /** Reads the object anew for its document, without showing it. */
  async hold(document: PlatformDocument): Promise<vscode.Uri> {
    const uri = this.uriOf(document.path);
    const text = textOf(await document.read());
    this.#documents.set(uri.path, { document, text, mtime: Date.now(), unsent: false, answered: undefined });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return uri;
  }

  /** Changes what *Revert File* brings back into an editor with unsaved changes; these stay and can be saved. */
  revertTo(uri: vscode.Uri, value: unknown): void {
    // The time stays: a newer file could not be saved over.
    const entry = this.#documents.get(uri.path);
    if (entry) entry.text = textOf(value);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, mtime, document } = this.#of(uri);
    const stat = { type: vscode.FileType.File, ctime: mtime, mtime, size: new TextEncoder().encode(text).length };
    return document.isReadonly === true ? { ...stat, permissions: vscode.FilePermission.Readonly } : stat;
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return new TextEncoder().encode(this.#of(uri).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const entry = this.#of(uri);
    const text = new TextDecoder().decode(content);
    if (this.#asked.delete(uri.path)) await send(entry, text);
    else {
      entry.text = text;
      entry.unsent = true;
    }
    entry.mtime = Date.now();
    this.#marks.fire(uri);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /**
   * Shows what the platform made of a save. Not before the save is over: the editor takes the file that it finds right
   * after writing for what it has written, and would go on showing the old text.
   */
  #settle(uri: vscode.Uri): void {
    const entry = this.#documents.get(uri.path);
    if (entry?.answered === undefined || entry.answered === entry.text) return;
    entry.text = entry.answered;
    entry.answered = undefined;
    entry.mtime = Math.max(Date.now(), entry.mtime + 1);
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  watch(): vscode.Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#documents.clear();
  }

  #of(uri: vscode.Uri): OpenDocument {
    const entry = this.#documents.get(uri.path);
    // After a restart an editor may still be open: the object is opened from its view again.
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }
}

const unsentColor = new vscode.ThemeColor('list.warningForeground');

async function send(entry: OpenDocument, text: string): Promise<void> {
  try {
    const now = await entry.document.save(parseDocument(text));
    entry.text = text;
    entry.answered = now === undefined ? undefined : textOf(now);
    entry.unsent = false;
  } catch (error) {
    // VS Code shows the message of a failed save as it is.
    throw error instanceof Error ? vscode.FileSystemError.Unavailable(error.message) : error;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
}

/** JSON with comment lines, which templates carry. Throws `UserError`. */
export function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
  } catch (error) {
    throw new UserError(`This is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
