import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { isPlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { asError } from '#base/async.ts';
import { capitalized } from '#base/words.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Account } from '#features/accounts/index.ts';
import { changeText, type FieldChange, fieldChanges, mergedFields } from '#features/administration/changes.ts';
import { ContestedFields } from '#features/administration/contested-fields.ts';
import {
  type AdminDocument,
  type DocumentEdit,
  fieldOf,
  type FieldProblem,
  type OpenOptions,
  pathSegment,
} from '#features/administration/document.ts';
import { pathOfField } from '#features/administration/form-session.ts';
import { servedEdit } from '#features/administration/served-edit.ts';
import { fieldRange } from '#shell/json-text.ts';
import type { Fields } from '#features/administration/rows.ts';
import { adminError } from '#features/administration/words.ts';
import { UserError } from '#shell/user-error.ts';
import { requireTrust, type WindowTrust } from '#shell/vscode/trust.ts';
import type { DocumentFiles } from '#shell/vscode/documents/document-files.ts';
import type { DocumentForm, PlatformDocument } from '#shell/vscode/documents/platform-document.ts';
import { problemAt, rangeIn } from '#shell/vscode/marks.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { DescribedData } from '#features/platform/index.ts';

/** What saving an object needs. */
interface AdminDocumentDeps extends WindowTrust {
  readonly capabilitiesOf: DescribedData['capabilitiesOf'];
}

interface Open {
  readonly account: Account;
  readonly uri: vscode.Uri;
  document: AdminDocument;
  /** How it was edited when it was read. */
  edit: DocumentEdit | undefined;
  /** What the editor was last given. */
  shown: Fields;
  readonly contested: ContestedFields;
  readonly onSaved: () => Promise<void>;
}

/** Objects of a tenant's administration as JSON documents: with a schema, checked and compared before they are sent. */
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

  /** Opens a document; `onSaved` runs after each change that the platform took. */
  async open(account: Account, document: AdminDocument, options: OpenOptions): Promise<void> {
    await this.#files.open(this.fileOf(account, document, options));
  }

  /** The file of a document; `path`: where it was in an earlier window. */
  fileOf(
    account: Account,
    document: AdminDocument,
    options: OpenOptions,
    path: string = pathIn(account, document.path),
  ): PlatformDocument {
    const uri = this.#files.uriOf(path);
    const contested = new ContestedFields((field, theirs) => {
      open.shown = { ...open.shown, [field]: theirs };
    });
    const { onSaved } = options;
    const open: Open = { account, uri, document, edit: document.edit, shown: {}, contested, onSaved };
    return {
      path,
      get recipe() {
        return options.recipe;
      },
      isReadonly: document.edit === undefined,
      get form() {
        return open.document.edit && formOf(open);
      },
      read: async () => {
        const schema = await this.#schemaOf(open);
        open.edit = await this.#editOf(open);
        open.shown = await explained(document.read(), `read ${document.title}`);
        contested.found([], open.shown);
        return { ...schema, ...open.shown };
      },
      save: async (edited) => this.#save(open, edited),
    };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #save(open: Open, edited: unknown): Promise<unknown> {
    const { title } = open.document;
    const edit = await this.#editOf(open);
    this.#problems.delete(open.uri);
    requireTrust(this.#services);
    if (!edit) {
      throw new UserError(
        open.document.readonlyReason ?? `The platform has no operation that changes ${title}: it is only shown.`,
      );
    }
    if (!isObject(edited)) throw this.#refused(open, { field: '', message: 'The document must be a JSON object.' });
    const fields = Object.fromEntries(Object.entries(edited).filter(([name]) => name !== '$schema'));
    const now = edit.isNew ? {} : await explained(open.document.read(), `read ${title}`);
    open.contested.found([], now);
    const merged = mergedFields(edit.isNew ? {} : open.shown, fields, now);
    const checked = edit.check(merged.fields, now);
    if (!checked.ok) throw this.#refused(open, checked.error);
    if (fieldChanges(now, checked.value).length === 0) {
      vscode.window.setStatusBarMessage('$(check) Nothing to save: the platform already has this version', 5000);
      open.shown = now;
      return { ...(await this.#schemaOf(open)), ...now };
    }
    const isContested = merged.contested.length > 0;
    if (isContested && open.contested.isShown) {
      open.contested.found(merged.contested, now);
      throw new UserError(
        `Someone changed ${title} on the platform meanwhile. Choose in the form which values to keep, then save again.`,
      );
    }
    await this.#confirm(open, { now, next: checked.value, isContested });
    try {
      open.document = await edit.send(checked.value, now);
    } catch (error) {
      throw this.#failed(open, error, fieldChanges(now, checked.value));
    } finally {
      await open.onSaved();
    }
    open.shown = await explained(open.document.read(), `read ${open.document.title}`);
    vscode.window.setStatusBarMessage(text`$(check) Saved ${open.document.title}`, 5000);
    return { ...(await this.#schemaOf(open)), ...open.shown };
  }

  /** Shows what changes, and whether someone else changed the same fields meanwhile. */
  async #confirm(
    open: Open,
    { now, next, isContested }: { readonly now: Fields; readonly next: Fields; readonly isContested: boolean },
  ): Promise<void> {
    const { edit, title } = open.document;
    const isNew = edit?.isNew === true;
    const showDiff = async (): Promise<void> => {
      const path = open.uri.path.replace(/\.json$/, ' (on the platform).json');
      const save = (): Promise<never> =>
        Promise.reject(new UserError('This side shows the platform’s version and cannot be edited.'));
      const read = async (): Promise<Fields> => ({ ...(await this.#schemaOf(open)), ...now });
      const left = await this.#files.hold({ path, read, save, isReadonly: true });
      await openDiff(left, open.uri, text`${title}: platform ↔ document`);
    };
    const sure = await confirm({
      title: isNew
        ? `Create this ${title.replace(/^new /, '')}?`
        : isContested
          ? `Someone changed ${title} on the platform meanwhile. Replace that version?`
          : `Save ${title}?`,
      detail: `${open.account.label}\n\n${fieldChanges(now, next).map(changeText).join('\n')}`,
      button: isNew ? 'Create' : isContested ? 'Replace' : 'Save',
      more: isNew ? undefined : { button: 'Show Difference', show: showDiff },
    });
    if (sure) return;
    throw new UserError('Cancelled: nothing was sent. Your change is still in the document.');
  }

  /**
   * A failed save stays visible until the next one: at the field that the platform names, else at the only one that was
   * changed, else at the beginning of the document.
   */
  #failed(open: Open, thrown: unknown, changes: readonly FieldChange[]): Error {
    const error = adminError(asError(thrown), `save ${open.document.title}`);
    const named = isPlatformError(error) ? fieldOf(error.field) : '';
    const field = named === '' && changes.length === 1 ? (changes[0]?.field ?? '') : named;
    this.#mark(open, { field, message: error.message });
    return error;
  }

  /** Marks the field in the document; the save fails with the same words. */
  #refused(open: Open, problem: FieldProblem): UserError {
    this.#mark(open, problem);
    return new UserError(problem.message);
  }

  #mark({ uri }: Open, { field, message }: FieldProblem): void {
    const editor = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (!editor) return;
    const text = editor.getText();
    // The name of an attribute may itself hold a dot.
    const whole = fieldRange(text, [field]);
    const place = whole.start > 0 ? whole : fieldRange(text, field === '' ? [] : field.split('.'));
    this.#problems.set(uri, [problemAt(rangeIn(editor, place), message)]);
  }

  /** As the server describes it; a server that cannot be asked now leaves our own rules. */
  async #editOf({ account, document: { edit, title } }: Open): Promise<DocumentEdit | undefined> {
    if (!edit) return undefined;
    const { description } = await this.#services.capabilitiesOf(account.id);
    return servedEdit(edit, title, description);
  }

  /** The field that leads VS Code to the schema of an editable document. */
  async #schemaOf(open: Open): Promise<Fields> {
    const { account, document } = open;
    const edit = await this.#editOf(open);
    if (!edit) return {};
    const uri = await this.#files.hold({
      path: pathIn(account, `/schema${document.path}`),
      read: () => Promise.resolve(edit.schema),
      save: () => Promise.reject(new UserError('Schemas cannot be edited.')),
      isReadonly: true,
    });
    return { $schema: uri.toString() };
  }
}

/** The document as a form: with the schema and the rules that saving checks. */
function formOf(open: Open): DocumentForm {
  return {
    title: capitalized(open.document.title.replace(/^the /, '')),
    place: open.account.label,
    conflicts: open.contested,
    schema: () => Promise.resolve(open.edit?.schema ?? {}),
    problems: (edited) => {
      const { edit, shown } = open;
      if (!edit || !isObject(edited)) return [];
      const { $schema: _, ...fields } = edited;
      const checked = edit.check(fields, edit.isNew ? {} : shown);
      if (checked.ok) return [];
      const { field, message } = checked.error;
      return [{ path: pathOfField(fields, field), message: shortened(message, field), severity: 'error' }];
    },
  };
}

/** A problem as it stands at its field: without the field’s name. */
function shortened(message: string, field: string): string {
  const rest = message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
  return capitalized(rest.replace(/ ?Nothing was sent\.$/, ''));
}

function pathIn({ label }: Account, path: string): string {
  return `/${pathSegment(label)}${path}`;
}

/** What is read for a document, with a lack of permission in those words. */
async function explained<T>(reading: Promise<T>, what: string): Promise<T> {
  return reading.catch((error: unknown) => {
    throw adminError(error, what);
  });
}
