import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { isObject } from '#api/schema.ts';
import { capitalized } from '#base/words.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Account } from '#features/accounts/index.ts';
import {
  type AdminDocument,
  type FieldProblem,
  type OpenOptions,
  pathSegment,
} from '#features/administration/document.ts';
import { pathOfField } from '#features/administration/form-session.ts';
import { OpenObject, type SaveQuestion } from '#features/administration/open-object.ts';
import { fieldRange } from '#shell/json-text.ts';
import type { Fields } from '#features/administration/rows.ts';
import { UserError } from '#shell/user-error.ts';
import { requireTrust, type WindowTrust } from '#shell/trust.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { DocumentForm } from '#shell/document-form.ts';
import type { PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import { problemAt, rangeIn } from '#shell/vscode/marks.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { DescribedData } from '#features/platform/index.ts';

/** The dependencies of saving an object. */
interface AdminDocumentDeps extends WindowTrust {
  readonly capabilitiesOf: DescribedData['capabilitiesOf'];
}

interface Open {
  readonly account: Account;
  readonly uri: vscode.Uri;
  readonly object: OpenObject;
  readonly onSaved: () => Promise<void>;
}

/** Objects of a tenant's administration as JSON documents with a schema. They are checked and compared before they are sent. */
export class AdminDocuments implements Disposable {
  readonly #services: AdminDocumentDeps;
  readonly #owned = new DisposableStore();
  readonly #files: DocumentFiles;
  readonly #problems = this.#owned.add(vscode.languages.createDiagnosticCollection('modelbench.administration'));

  constructor(services: AdminDocumentDeps, files: DocumentFiles) {
    this.#services = services;
    this.#files = files;
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === files.scheme) this.#problems.delete(uri);
      }),
    );
  }

  /** Opens a document; `onSaved` runs after each request that saving sends. */
  async open(account: Account, document: AdminDocument, options: OpenOptions): Promise<void> {
    await this.#files.open(this.fileOf(account, document, options));
  }

  /** Creates the file of a document; `path`: its path in an earlier window. */
  fileOf(
    account: Account,
    document: AdminDocument,
    options: OpenOptions,
    path: string = pathIn(account, document.path),
  ): PlatformDocument {
    const object = new OpenObject(document, {
      owner: account.label,
      description: async () => (await this.#services.capabilitiesOf(account.id)).description,
      ask: async (question) => this.#ask(open, question),
    });
    const open: Open = { account, uri: this.#files.uriOf(path), object, onSaved: options.onSaved };
    return {
      path,
      get recipe() {
        return options.recipe;
      },
      isReadonly: document.edit === undefined,
      get form() {
        return object.document.edit && formOf(open);
      },
      read: async () => {
        const schema = await this.#schemaOf(open);
        return { ...schema, ...(await object.read()) };
      },
      save: async (edited) => this.#save(open, edited),
    };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #save(open: Open, edited: unknown): Promise<unknown> {
    this.#problems.delete(open.uri);
    requireTrust(this.#services);
    const saved = await open.object.save(edited, open.onSaved);
    if (saved.kind === 'refused') {
      this.#mark(open, saved.problem);
      throw saved.error;
    }
    vscode.window.setStatusBarMessage(
      saved.isSent
        ? text`$(check) Saved ${open.object.document.title}`
        : '$(check) Nothing to save: the platform already has this version',
      5000,
    );
    return { ...(await this.#schemaOf(open)), ...saved.shown };
  }

  /** Asks for confirmation, with the changes and whether someone else changed the same fields meanwhile. */
  async #ask(open: Open, { title, detail, button, now }: SaveQuestion): Promise<boolean> {
    const show = async (): Promise<void> => {
      const path = open.uri.path.replace(/\.json$/, ' (on the platform).json');
      const save = (): Promise<never> =>
        Promise.reject(new UserError('This side shows the platform’s version and cannot be edited.'));
      const read = async (): Promise<Fields> => ({ ...(await this.#schemaOf(open)), ...now });
      const left = await this.#files.hold({ accountId: open.account.id, path, read, save, isReadonly: true });
      await openDiff(left, open.uri, text`${open.object.document.title}: platform ↔ document`);
    };
    return confirm({ title, detail, button, more: now && { button: 'Show Difference', show } });
  }

  /** Marks the field in the document until the next save, so that a failed save stays visible. */
  #mark({ uri }: Open, { field, message }: FieldProblem): void {
    const editor = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (!editor) return;
    const text = editor.getText();
    // The name of an attribute can itself contain a dot.
    const whole = fieldRange(text, [field]);
    const range = whole.start > 0 ? whole : fieldRange(text, field === '' ? [] : field.split('.'));
    this.#problems.set(uri, [problemAt(rangeIn(editor, range), message)]);
  }

  /** Resolves to the `$schema` field, which leads VS Code to the schema of an editable document. */
  async #schemaOf(open: Open): Promise<Fields> {
    const { account, object } = open;
    const edit = await object.editNow();
    if (!edit) return {};
    const uri = await this.#files.hold({
      accountId: account.id,
      path: pathIn(account, `/schema${object.document.path}`),
      read: () => Promise.resolve(edit.schema),
      save: () => Promise.reject(new UserError('Schemas cannot be edited.')),
      isReadonly: true,
    });
    return { $schema: uri.toString() };
  }
}

/** Returns the form of a document, with the schema and the rules that saving checks. */
function formOf({ account, object }: Open): DocumentForm {
  return {
    title: capitalized(object.document.title.replace(/^the /, '')),
    owner: account.label,
    conflicts: object.contested,
    schema: () => Promise.resolve(object.edit?.schema ?? {}),
    problems: (edited) => {
      const problem = object.check(edited);
      if (!problem || !isObject(edited)) return [];
      const { field, message } = problem;
      return [{ path: pathOfField(edited, field), message: shortened(message, field), severity: 'error' }];
    },
  };
}

/** Removes the field’s name from a problem that is shown next to the field. */
function shortened(message: string, field: string): string {
  const rest = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return capitalized(rest.replace(/ ?Nothing was sent\.$/, ''));
}

function pathIn({ label }: Account, path: string): string {
  return `/${pathSegment(label)}${path}`;
}
