import * as vscode from 'vscode';
import { isPlatformError } from '#api/errors.ts';
import type { Operation, RequestOf } from '#api/operation.ts';
import { operations } from '#api/operations.ts';
import { asCurl, optionalFields, type RequestDocument, requestTemplate } from '#features/console/operation-form.ts';
import { UserError } from '#features/user-error.ts';
import type { ConsoleServices } from './deps.ts';

/** Chooses an operation and opens a request to fill in; *Send* runs it with the account's key. */
export async function openRequest(services: ConsoleServices): Promise<void> {
  const target = services.session.active.value;
  const accountId = target?.accountId ?? services.accounts.all.value[0]?.id;
  if (accountId === undefined) {
    throw new UserError('Sign in to a tenant first.', { title: 'Sign In', command: 'modelbench.signIn' });
  }
  const items = operations
    .filter(({ host, described, id }) => host !== 'chat' && (described !== true || services.offers(accountId, id)))
    .map((op) => ({ label: op.summary, description: `${op.method} ${op.path}`, detail: `${op.tag} · ${op.id}`, op }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'API Explorer',
    placeHolder: 'Which operation?',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const { op } = picked;
  const template = requestTemplate(op, target ? { deploymentId: target.deploymentId } : {});
  const notes = [
    `// ${op.summary} (${op.section})`,
    ...hints('query', optionalFields(op.query)),
    ...hints('body', optionalFields(op.body)),
    '// Send it with “Modelbench: Send Request” in the editor’s title.',
  ];
  await services.objects.open({
    path: `/requests/${op.id}.jsonc`,
    read: () => Promise.resolve(`${notes.join('\n')}\n${JSON.stringify(template, undefined, 2)}\n`),
    // Saving keeps the text; only Send sends.
    save: () => Promise.resolve(undefined),
  });
}

const hints = (part: string, fields: readonly string[]): readonly string[] =>
  fields.length === 0 ? [] : [`// ${part} may also have: ${fields.join(', ')}`];

/** Sends the request of the active editor and shows status, time and body beside it. */
export async function sendRequest(services: ConsoleServices): Promise<void> {
  const { op, request } = activeRequest();
  const accountId = services.session.active.value?.accountId ?? services.accounts.all.value[0]?.id ?? '';
  const changes = op.method !== 'GET';
  if (changes && !services.isTrusted.value)
    throw new UserError('In Restricted Mode nothing is changed on the platform.');
  if (changes) {
    const go = 'Send';
    const answer = await vscode.window.showWarningMessage(
      `Send ${op.method} ${op.path}?`,
      { modal: true, detail: op.summary },
      go,
    );
    if (answer !== go) return;
  }
  const started = Date.now();
  const outcome = await services.operations.run({
    label: `Sending ${op.id}`,
    key: `api ${op.id}`,
    cancellable: true,
    run: async ({ signal }) => run(services, accountId, op, request, signal),
  });
  const answer = { operation: op.id, ...outcome, milliseconds: Date.now() - started };
  await services.objects.open(
    {
      path: `/requests/${op.id}.answer.json`,
      read: () => Promise.resolve(answer),
      save: () => Promise.resolve(undefined),
    },
    vscode.ViewColumn.Beside,
  );
}

async function run(
  { data }: ConsoleServices,
  accountId: string,
  op: Operation,
  { params, query, body }: RequestDocument,
  signal: AbortSignal,
): Promise<object> {
  try {
    const parts = { params, query: withoutEmpty(query), body } as RequestOf<Operation>;
    if (op.answerKind === 'csv')
      return { status: 200, text: await (await data.client(accountId).open(op, parts, { signal })).text() };
    const answer: unknown = await data.client(accountId).call(op, parts, { signal });
    return { status: 'success', body: answer };
  } catch (error) {
    if (!isPlatformError(error) || error.kind === 'cancelled') throw error;
    const { status, kind, message, field, body: answer } = error;
    return { status: status ?? kind, message, field, body: answer };
  }
}

/** What was left empty in the query is not sent. */
function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** Copies the request of the active editor as a shell command, without the key. */
export async function copyAsCurl({ session, accounts, accountOf }: ConsoleServices): Promise<void> {
  const { op, request } = activeRequest();
  const account = accountOf(session.active.value?.accountId ?? '') ?? accounts.all.value[0];
  await vscode.env.clipboard.writeText(asCurl(op, request, account?.tenantUrl ?? ''));
  vscode.window.setStatusBarMessage('$(check) Copied; put your key into MODELBENCH_API_KEY', 5000);
}

function activeRequest(): { readonly op: Operation; readonly request: RequestDocument } {
  const text = vscode.window.activeTextEditor?.document.getText() ?? '';
  let request: Partial<RequestDocument>;
  try {
    request = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as Partial<RequestDocument>;
  } catch {
    throw new UserError('The request is not valid JSON.');
  }
  const op = operations.find(({ id }) => id === request.operation);
  if (!op) throw new UserError('Open a request with “Modelbench: Call API Operation…” first.');
  return { op, request: { ...request, operation: op.id } };
}
