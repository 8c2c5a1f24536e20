import { createHash } from 'node:crypto';
import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { text, textOf } from '#base/user-text.ts';
import { asError } from '#base/async.ts';
import { baseName } from '#base/path.ts';
import { UserError } from '#shell/user-error.ts';
import { AddressedFiles, statOf } from '../addressed-files.ts';
import { mayDiscard } from './discard.ts';
import { KeptText } from '#shell/kept-text.ts';
import { accountOf } from '#shell/account-of.ts';
import type { DocumentMemory, Remembered } from './document-memory.ts';
import { documentText, parseDocument, type PlatformDocument } from './platform-document.ts';
import { setting } from '../settings.ts';
import { openForm } from './open-form.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

interface OpenDocument {
  readonly document: PlatformDocument;
  readonly kept: KeptText;
  mtime: number;
  /** The editor may hold edits of a text that is no longer the platform's version. */
  outdated: boolean;
  /** The platform's version that was last read or saved. */
  served: Pick<Remembered, 'sum' | 'base'>;
}

/** How documents of an earlier window are restored. */
export interface Restoring {
  readonly memory: DocumentMemory;
  /**
   * Creates a document from its recipe; resolves to `undefined` if that is no longer possible, rejects with what the user can do.
   */
  readonly make: (recipe: Readonly<Record<string, unknown>>, path: string) => Promise<PlatformDocument | undefined>;
}

/** The files of open platform documents: a manual save sends the document; auto save only stores its text. */
export class DocumentFiles extends AddressedFiles implements vscode.FileDecorationProvider {
  readonly scheme: string;
  readonly #restoring: Restoring;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #comingBack = new Map<string, Promise<void>>();
  readonly #marks = this.owned.add(new vscode.EventEmitter<vscode.Uri>());
  /** The reasons why documents were not restored, by path. */
  readonly #reported = new Map<string, string>();
  /** Paths that are being saved because the user asked for it. */
  readonly #asked = new Set<string>();
  /** Paths that auto save has started to save but not written yet. */
  readonly #autoSaving = new Set<string>();

  /** `scheme`: each bundle of the extension has its own file system. */
  constructor(scheme: string, restoring: Restoring) {
    super(scheme);
    this.scheme = scheme;
    this.#restoring = restoring;
    this.owned.add(vscode.window.registerFileDecorationProvider(this));
    this.owned.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#adoptAnswer(uri);
      }),
    );
    this.owned.add(
      vscode.workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        if (uri.scheme !== scheme) return;
        const isAsked = reason === vscode.TextDocumentSaveReason.Manual;
        (isAsked ? this.#asked : this.#autoSaving).add(uri.path);
      }),
    );
  }

  /** Whether an open document has unsent changes; unless it is loaded, only those in the editor count. */
  isChanged({ uri, isDirty }: vscode.TextDocument): boolean {
    return isDirty || this.#documents.get(uri.path)?.kept.isUnsent === true;
  }

  /**
   * Saves the active editor's document at the user's request. If auto save is already saving the same text, VS Code merges both
   * saves and may even finish before the file is written: nothing would be sent, so this method sends it.
   */
  async saveActive(document: vscode.TextDocument): Promise<void> {
    const { path } = document.uri;
    const sends = this.#documents.get(path)?.kept.sends;
    await executeBuiltIn('workbench.action.files.save');
    const entry = this.#documents.get(path);
    if (!entry || entry.kept.sends !== sends) return;
    const isKept = entry.kept.isUnsent && !document.isDirty;
    if (!isKept && !this.#autoSaving.has(path)) return;
    await this.#send(entry, document.getText());
    this.#marks.fire(document.uri);
    // VS Code does not know about this save: what was typed meanwhile belongs to the version of the file that it has read.
    if (!document.isDirty) this.#adoptAnswer(document.uri);
  }

  /** Whether a document has unsent changes, which opening it again would discard. */
  async hasChanges(uri: vscode.Uri): Promise<boolean> {
    const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (open?.isDirty === true || this.#documents.get(uri.path)?.kept.isUnsent === true) return true;
    // Left over from an earlier window, in an editor that was not shown yet or was closed.
    return !this.#documents.has(uri.path) && (await this.#restoring.memory.unsent(uri.path)) !== undefined;
  }

  /** Forgets how documents of accounts that are signed out are restored. */
  keepOnly(accountIds: ReadonlySet<string>): Promise<void> {
    return this.#restoring.memory.keepOnly(accountIds);
  }

  /** Returns the loaded documents. */
  get loaded(): readonly vscode.Uri[] {
    return [...this.#documents.keys()].map((path) => this.uriOf(path));
  }

  /** Drops a document that no editor shows any more, so that the next account of the window cannot read it. */
  drop(uri: vscode.Uri): void {
    if (uri.scheme === this.scheme) this.#documents.delete(uri.path);
  }

  /** Returns the account whose data a document shows, if it is loaded. */
  ownerOf(uri: vscode.Uri): string | undefined {
    const document = this.documentOf(uri);
    return document && (document.accountId ?? accountOf(document.recipe));
  }

  /** Returns the document of an open editor, if it is loaded. */
  documentOf(uri: vscode.Uri): PlatformDocument | undefined {
    return uri.scheme === this.scheme ? this.#documents.get(uri.path)?.document : undefined;
  }

  get onDidChangeFileDecorations(): vscode.Event<vscode.Uri> {
    return this.#marks.event;
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (uri.scheme !== this.scheme || this.#documents.get(uri.path)?.kept.isUnsent !== true) return undefined;
    return new vscode.FileDecoration('!', text`Not sent: save manually to send it to the platform`, unsentColor);
  }

  /** Reads the object again and shows it; if the editor has unsent changes, the user decides. */
  async open(document: PlatformDocument, column?: vscode.ViewColumn): Promise<void> {
    const uri = this.uriOf(document.path);
    const discards = await this.hasChanges(uri);
    if (discards && !(await mayDiscard(document.path))) {
      await this.#show(uri, document, column);
      return;
    }
    await this.hold(document);
    const editor = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(editor, document.path.endsWith('.jsonc') ? 'jsonc' : 'json');
    await this.#show(uri, document, column);
    if (discards && editor.isDirty) await executeBuiltIn('workbench.action.files.revert');
  }

  async #show(uri: vscode.Uri, { form }: PlatformDocument, column: vscode.ViewColumn | undefined): Promise<void> {
    const options = { preview: false, ...(column === undefined ? {} : { viewColumn: column }) };
    if (form && setting('documents.openAs') === 'form') await openForm(uri, options);
    else await vscode.window.showTextDocument(uri, options);
  }

  /** Shows rendered Markdown, which cannot be sent. */
  async preview(accountId: string, path: string, text: string): Promise<void> {
    const uri = await this.hold({
      path,
      accountId,
      read: () => Promise.resolve(text),
      save: () => Promise.resolve(undefined),
    });
    await executeBuiltIn('markdown.showPreview', uri);
  }

  uriOf(path: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, path });
  }

  /** Shows a value of the platform, read-only, beside a document. */
  async compare(
    { path, value, recipe }: Pick<PlatformDocument, 'path' | 'recipe'> & { readonly value: unknown },
    document: vscode.Uri,
    title: string,
  ): Promise<void> {
    const left = await this.hold({
      path,
      recipe,
      read: () => Promise.resolve(value),
      save: () => Promise.resolve(undefined),
      isReadonly: true,
    });
    await openDiff(left, document, textOf(title));
  }

  /** Reads the object again for its document, without showing it. */
  async hold(document: PlatformDocument): Promise<vscode.Uri> {
    const uri = this.uriOf(document.path);
    const keeps = this.#documents.get(uri.path)?.kept.keeps;
    const text = documentText(await document.read());
    const known = this.#documents.get(uri.path);
    // Auto save stored another text meanwhile: the user did not agree to discard it.
    if (known?.kept.isUnsent === true && known.kept.keeps !== keeps) return uri;
    const isNews = known?.kept.text !== text || known.kept.isUnsent || known.kept.hasAnswer;
    const entry = isNews ? this.#add(document, text) : { ...known, document, outdated: false };
    this.#documents.set(uri.path, entry);
    await this.#remember(entry, text);
    // An editor that already shows this text must not be reloaded while the user works in it.
    if (isNews) this.fireChanged(uri);
    return uri;
  }

  /** Changes what *Revert File* restores in an editor with unsaved changes; they stay and can be saved. */
  revertTo(uri: vscode.Uri, value: unknown): void {
    // The modification time stays the same: VS Code would refuse to save over a newer file.
    const entry = this.#documents.get(uri.path);
    entry?.kept.revertTo(documentText(value));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { kept, mtime, document } = await this.#of(uri);
    return statOf(kept.text, mtime, document.isReadonly === true);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const entry = await this.#of(uri);
    // An unsent text is not the platform's version.
    if (!entry.kept.isUnsent) entry.outdated = false;
    return new TextEncoder().encode(entry.kept.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const entry = await this.#of(uri);
    const text = decodedText(content);
    this.#autoSaving.delete(uri.path);
    if (this.#asked.delete(uri.path)) await this.#send(entry, text);
    else if (entry.kept.keep(text)) {
      const remembered = rememberedOf(entry.document, entry.served);
      const holds = entry.document.restoreBase ? 'nothing secret' : 'secrets';
      if (remembered) await this.#restoring.memory.setUnsent(remembered, text, holds);
    }
    entry.mtime = this.now();
    this.#marks.fire(uri);
    this.fireChanged(uri);
  }

  async #send(entry: OpenDocument, text: string): Promise<void> {
    let saved = text;
    await entry.kept.send(text, async () => {
      const answer = await sent(entry, text);
      saved = answer ?? documentText(parseDocument(text));
      return answer;
    });
    await this.#remember(entry, saved);
  }

  /**
   * Shows the platform's version of a saved text, but only after the save has finished: the editor assumes that the file which it
   * finds right after writing is what it wrote, and would keep showing the old text.
   */
  #adoptAnswer(uri: vscode.Uri): void {
    const entry = this.#documents.get(uri.path);
    if (!entry?.kept.adoptAnswer()) return;
    entry.mtime = this.now();
    this.fireChanged(uri);
  }

  override dispose(): void {
    super.dispose();
    this.#documents.clear();
  }

  async #of(uri: vscode.Uri): Promise<OpenDocument> {
    if (!this.#documents.has(uri.path)) await this.#comeBack(uri);
    const entry = this.#documents.get(uri.path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  /** Restores the document of an editor that VS Code restored, by reading its object from the platform again. */
  async #comeBack({ path }: vscode.Uri): Promise<void> {
    const known = await this.#restoring.memory.get(path);
    if (!known) return;
    const coming = this.#comingBack.get(path) ?? this.#restore(known).finally(() => this.#comingBack.delete(path));
    this.#comingBack.set(path, coming);
    await coming.catch((error: unknown) => {
      const { message } = asError(error);
      this.#reportOnce(path, message);
      throw vscode.FileSystemError.Unavailable(textOf(message));
    });
    this.#reported.delete(path);
  }

  /** Reports an error once, although VS Code asks for the file several times. The editor itself does not show the reason. */
  #reportOnce(path: string, message: string): void {
    if (this.#reported.get(path) === message) return;
    this.#reported.set(path, message);
    void vscode.window.showWarningMessage(text`“${baseName(path)}” could not be restored. ${message}`);
  }

  async #restore({ path, recipe, sum, base }: Remembered): Promise<void> {
    const document = await this.#restoring.make(recipe, path);
    if (!document) return;
    const text = documentText(await document.read());
    const isOutdated = sumOf(text) !== sum;
    const merges = document.restoreBase !== undefined && base !== undefined;
    if (merges) document.restoreBase(parseDocument(base));
    const unsent = await this.#restoring.memory.unsent(path);
    const entry = this.#add(document, unsent ?? text, isOutdated && !merges, unsent !== undefined);
    // The version that the unsent text was made from: what it is compared with after another restart.
    if (unsent !== undefined) entry.served = { sum, base };
    this.#marks.fire(this.uriOf(path));
  }

  #add(document: PlatformDocument, text: string, outdated = false, isUnsent = false): OpenDocument {
    const kept = new KeptText(text, isUnsent, this.#documents.get(document.path)?.kept.order);
    const entry = { document, kept, mtime: this.now(), outdated, served: servedOf(document, text) };
    this.#documents.set(document.path, entry);
    return entry;
  }

  /** Stores the platform's version; keeps an unsent text that auto save stores until then. */
  async #remember(entry: OpenDocument, text: string): Promise<void> {
    const { document } = entry;
    entry.served = servedOf(document, text);
    const remembered = rememberedOf(document, entry.served);
    if (!remembered) return;
    await this.#restoring.memory.set(remembered);
    const isUnsent = (): boolean => this.#documents.get(document.path)?.kept.isUnsent === true;
    await this.#restoring.memory.forgetUnsent(document.path, isUnsent);
  }
}

function servedOf({ restoreBase }: PlatformDocument, text: string): OpenDocument['served'] {
  return { sum: sumOf(text), base: restoreBase && text };
}

/** Returns what restores a document in the next window; `undefined` if it cannot be restored. */
function rememberedOf({ path, recipe }: PlatformDocument, served: OpenDocument['served']): Remembered | undefined {
  return recipe && { path, recipe, ...served };
}

const unsentColor = new vscode.ThemeColor('list.warningForeground');

/** Saves a text on the platform; resolves to the platform's version of it, if the platform returns one. */
async function sent({ document, outdated }: OpenDocument, text: string): Promise<string | undefined> {
  try {
    if (outdated) throw new UserError(outdatedMessage);
    const now = await document.save(parseDocument(text));
    return now === undefined ? undefined : documentText(now);
  } catch (error) {
    // VS Code shows the message of a failed save unchanged.
    throw error instanceof Error ? vscode.FileSystemError.Unavailable(textOf(error.message)) : error;
  }
}

const outdatedMessage =
  'The platform has a newer version than the one you edited. Copy your change, open the document again from its view, and repeat the change.';

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
