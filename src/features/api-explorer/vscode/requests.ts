import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { systemClock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { Account } from '#features/accounts/index.ts';
import { answerLine, type ApiAnswer, extensionOf, runRequest } from '#features/api-explorer/answer.ts';
import type { ApiEntry } from '#features/api-explorer/catalogue.ts';
import type { Catalogues } from '#features/api-explorer/catalogues.ts';
import { asCurl } from '#features/api-explorer/curl.ts';
import { askAndSend } from '#features/api-explorer/ask-and-send.ts';
import type { RunHistory } from '#features/api-explorer/history.ts';
import { parseRequest, requestText } from '#features/api-explorer/request-document.ts';
import { type RequestParts, requestTemplate } from '#features/api-explorer/request-template.ts';
import type { ProductionPass } from '#features/platform/index.ts';
import { shortId } from '#shell/short-id.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import { confirm, isProtected } from '#shell/vscode/protection.ts';
import type { ApiConnection } from '#features/api-explorer/connection.ts';
import type { ExplorerDeps } from './deps.ts';
import { knownValues } from './known-values.ts';
import { LiveAnswer } from './live-answer.ts';
import { whileReading } from './while-reading.ts';
import { answerUri, apiDocument, requestUri, schemaUri } from './uris.ts';

/** A response that is shown in an editor. */
interface ShownAnswer {
  readonly ok: boolean;
  readonly line: string;
  readonly request: vscode.Uri;
}

interface OpenRequest {
  readonly uri: vscode.Uri;
  readonly account: Account;
  readonly entry: ApiEntry;
}

/** Opens request documents and sends them. */
export class Requests implements Disposable {
  readonly #services: ExplorerDeps;
  readonly #catalogues: Catalogues;
  readonly #history: RunHistory;
  readonly #answered = new Emitter<void>();
  readonly #answers = new Map<string, ShownAnswer>();
  readonly #closing: Disposable;
  #number = 0;

  constructor(services: ExplorerDeps, catalogues: Catalogues, history: RunHistory) {
    this.#services = services;
    this.#catalogues = catalogues;
    this.#history = history;
    this.#closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#answers.delete(uri.toString()));
  }

  readonly onDidAnswer: Event<void> = this.#answered.event;

  /** Opens the request of an operation: as the user left it, as it was sent earlier (`sent`), or a new one. */
  async open(accountId: string, name: string, sent?: RequestParts): Promise<void> {
    const catalogue = await this.#catalogues.get(accountId).catch(() => this.#catalogues.now(accountId));
    const entry = catalogue.find(name);
    if (!entry) throw new Hint(`This server has no operation “${name}”. Reload the API Explorer and try again.`);
    const uri = requestUri(accountId, name);
    const { files } = this.#services.requests;
    if (sent !== undefined || !files.has(uri)) {
      const chunks = requestTemplate(entry.schema(), await knownValues(this.#services, accountId, entry));
      const text = requestText({ ...chunks, ...sent }, schemaUri(shortId(accountId), name).toString());
      await replaceUnsaved(uri, text);
      files.put(uri, text);
    }
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  /** Sends the request of a document and shows the response next to it. */
  async send(uri: vscode.Uri | undefined): Promise<void> {
    const { request, chunks, document } = await this.#read(uri);
    await askAndSend(
      {
        data: this.#services.data,
        isTrusted: this.#services.isTrusted.value,
        isProtected: (target) => isProtected(this.#services, target),
        confirm,
        say: (hint) => void vscode.window.showInformationMessage(textOf(hint)),
        reading: async (work) => whileReading(request.entry.op.id, work),
      },
      { ...request, chunks },
      async (pass) => this.#send(request, chunks, document, pass),
    );
  }

  async #send(
    request: OpenRequest,
    chunks: RequestParts,
    document: vscode.TextDocument,
    pass?: ProductionPass,
  ): Promise<void> {
    // Save what is sent, so that VS Code does not ask about it when the window closes.
    if (document.isDirty) await document.save();
    const shown = new LiveAnswer(this.#services.requests.files, (arriving) => this.#uriOf(request, arriving));
    try {
      const answer = await this.#run(request, chunks, shown, pass);
      await this.#remember(request, chunks, answer);
      await this.#show(request, answer, shown);
    } finally {
      shown.dispose();
    }
  }

  async copyAsCurl(uri: vscode.Uri | undefined): Promise<void> {
    const { request, chunks } = await this.#read(uri);
    const { chat, hide } = await this.#services.requests.connection(request.account.id);
    const { op } = request.entry;
    const base = op.host === 'chat' ? chat?.chatUrl : request.account.tenantUrl;
    if (base === undefined) throw new Hint('No Chat API URL is set for the shown deployment.', setUpChat);
    await vscode.env.clipboard.writeText(hide(asCurl(op, chunks, base)));
    vscode.window.setStatusBarMessage('$(check) Copied. Set MODELBENCH_API_KEY to your key before you run it', 5000);
  }

  /** Returns the request of a document; `undefined` if its account is signed out or its operation is unknown. */
  requestAt(uri: vscode.Uri): OpenRequest | undefined {
    const document = apiDocument(uri);
    if (document?.kind !== 'request') return undefined;
    const account = this.#accountOf(uri);
    const entry = account && this.#catalogues.now(account.id).find(document.name);
    return entry && { uri, account, entry };
  }

  #accountOf(uri: vscode.Uri): Account | undefined {
    const short = apiDocument(uri)?.account;
    return this.#services.accounts.all.value.find(({ id }) => shortId(id) === short);
  }

  answerAt(uri: vscode.Uri): ShownAnswer | undefined {
    return this.#answers.get(uri.toString());
  }

  dispose(): void {
    this.#closing.dispose();
    this.#answered.dispose();
  }

  async #read(uri: vscode.Uri | undefined): Promise<{
    readonly request: OpenRequest;
    readonly chunks: RequestParts;
    readonly document: vscode.TextDocument;
  }> {
    if (!uri || apiDocument(uri)?.kind !== 'request') {
      throw new Hint('Open a request first.', {
        title: 'Open API Explorer',
        command: 'modelbench.apiExplorer.openRequest',
      });
    }
    const account = this.#accountOf(uri);
    if (!account) throw new Hint('Sign in to the tenant that this request belongs to.', signIn);
    // A request of an earlier window may belong to an operation that only the server's description lists.
    await this.#catalogues.get(account.id).catch(() => undefined);
    const request = this.requestAt(uri);
    if (!request) throw new Hint('This server no longer has this operation. Open another request.');
    const document = await vscode.workspace.openTextDocument(uri);
    const chunks = parseRequest(document.getText());
    if (!chunks.ok) throw new UserError(chunks.error);
    return { request, chunks: chunks.value, document };
  }

  async #run(
    request: OpenRequest,
    chunks: RequestParts,
    shown: LiveAnswer,
    pass: ProductionPass | undefined,
  ): Promise<ApiAnswer> {
    const { account, entry, uri } = request;
    const { client, hide }: ApiConnection = await this.#services.requests.connection(account.id);
    return this.#services.requests.operations.run({
      label: `Sending ${entry.op.id}`,
      key: `api ${uri.toString()}`,
      cancellable: true,
      run: async ({ signal, report }) =>
        runRequest(entry.op, chunks, {
          client,
          hide,
          pass,
          clock: systemClock,
          signal,
          onProgress: (bytes) => report(`${Math.ceil(bytes / 1024)} KB`),
          onArriving: (snapshot) => shown.arriving(snapshot),
        }),
    });
  }

  async #remember({ account, entry }: OpenRequest, request: RequestParts, answer: ApiAnswer): Promise<void> {
    const { status, milliseconds, bytes } = answer;
    const { method, path } = entry.op;
    const at = systemClock.now();
    await this.#history.add({
      accountId: account.id,
      name: entry.name,
      method,
      path,
      at,
      status,
      milliseconds,
      bytes,
      request,
    });
  }

  /** Returns a new URI for a response. */
  #uriOf({ account, entry }: OpenRequest, { status, format }: Pick<ApiAnswer, 'status' | 'format'>): vscode.Uri {
    this.#number += 1;
    return answerUri(account.id, this.#number, `${entry.name} ${status ?? 'failed'}.${extensionOf[format]}`);
  }

  async #show({ entry, uri }: OpenRequest, answer: ApiAnswer, live: LiveAnswer): Promise<void> {
    const line = answerLine(answer);
    const shown = await live.end(answer);
    this.#answers.set(shown.toString(), { ok: answer.ok, line, request: uri });
    this.#answered.fire();
    vscode.window.setStatusBarMessage(withIcon(answer.ok ? 'check' : 'error', text`${entry.name}: ${line}`), 8000);
  }
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;
const setUpChat = { title: 'Set Up Chat', command: 'modelbench.chat.setUp' } as const;

/** Replaces the text of an open request with an edit, so that Undo restores it. */
async function replaceUnsaved(uri: vscode.Uri, text: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (!document) return;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}
