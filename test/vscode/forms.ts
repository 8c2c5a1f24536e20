import { operations } from '#api/resources/operations.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import { type Answer, escape, pick, press, type } from './answers.ts';

/** What a command is called with. `none`: as from the palette. */
type On = 'none' | 'account' | 'deployment' | 'environment' | 'report' | 'workbook';

interface Start {
  readonly command: CommandId;
  readonly on: On;
}

/** Wrong input of one field, and what is said under it. `{url}`, `{key}` and `{file}` stand for the platform’s and a path. */
export interface WrongInput extends Start {
  /** The source file that asks, and the field as a user knows it. */
  readonly asks: string;
  readonly field: string;
  /** What is answered before the field is asked for. */
  readonly before: readonly Answer[];
  readonly typed: readonly string[];
  /** What is answered once the field was left. */
  readonly after?: readonly Answer[];
  readonly says: RegExp;
}

/** A request of a form that the platform refuses, and what is answered until it is sent and after. */
export interface RefusedRequest extends Start {
  readonly operation: string;
  readonly answers: readonly Answer[];
  /** What the document that opens is saved with; its refusal is VS Code’s own message. */
  readonly saves?: object;
  /** Statuses after which the user can continue without what was asked for: the next question comes instead of a message. */
  readonly goesOn?: readonly number[];
}

/** A document with a wrong field; the field is marked and named. */
export interface WrongDocument extends Start {
  readonly answers: readonly Answer[];
  readonly saves: object;
  readonly marks: RegExp;
}

/** Forms of a part of the extension, with all that is tried in them. */
export interface Forms {
  readonly wrongInputs: readonly WrongInput[];
  readonly wrongDocuments: readonly WrongDocument[];
  readonly refusedRequests: readonly RefusedRequest[];
}

const signIn = { command: 'modelbench.signIn', on: 'none' } as const;
const token = { command: 'modelbench.environment.createToken', on: 'environment' } as const;
const exported = { command: 'modelbench.audit.export', on: 'account' } as const;
const version = { command: 'modelbench.deployment.changeVersion', on: 'deployment' } as const;
const created = { command: 'modelbench.deployment.create', on: 'account' } as const;
const deleted = { command: 'modelbench.deployment.delete', on: 'deployment' } as const;
const github = { command: 'modelbench.deployment.connectGithub', on: 'deployment' } as const;
const setup = { command: 'modelbench.deployment.creationStep', on: 'deployment' } as const;
const variables = { command: 'modelbench.deployment.editVariables', on: 'deployment' } as const;
const dbt = { command: 'modelbench.deployment.dbtSync', on: 'deployment' } as const;
const pods = { command: 'modelbench.deployment.showPods', on: 'deployment' } as const;
const shown = { command: 'modelbench.notification.show', on: 'deployment' } as const;
const notify = { command: 'modelbench.notification.create', on: 'deployment' } as const;
const unnotify = { command: 'modelbench.notification.delete', on: 'deployment' } as const;
const found = { command: 'modelbench.workspace.search', on: 'none' } as const;
const item = { command: 'modelbench.workspace.create', on: 'deployment' } as const;
const sheet = { command: 'modelbench.workspace.connectSpreadsheet', on: 'report' } as const;
const renamed = { command: 'modelbench.workspace.rename', on: 'report' } as const;
const copy = { command: 'modelbench.workspace.duplicate', on: 'workbook' } as const;

const metadataToken = 'features/deployments/vscode/metadata-token.ts';
const auditQuery = 'features/audit/vscode/audit-query.ts';
const itemCommands = 'features/workspace/vscode/item-commands.ts';
const deploymentConsole = 'features/deployments/vscode/manage-deployment.ts';

/** Every field of these forms with what is wrong there. A field without a row fails `test/unit/shell/vscode/forms.test.ts`. */
export const wrongInputs: readonly WrongInput[] = [
  {
    ...signIn,
    asks: 'features/accounts/vscode/sign-in.ts',
    field: 'tenant URL',
    before: [],
    typed: ['', 'not an address', 'http://acme.example.com', 'ftp://acme.example.com'],
    says: /tenant|address|URL|https/i,
  },
  {
    ...signIn,
    asks: 'features/accounts/vscode/sign-in.ts',
    field: 'key',
    before: [type('{url}')],
    typed: ['', 'two words', 'a-key-of-yesterday', 'wrong'],
    says: /key/i,
  },
  {
    ...token,
    asks: metadataToken,
    field: 'security context',
    before: [],
    typed: ['', '[]', '7', '{"tenant":'],
    says: /Enter a JSON object/,
  },
  {
    ...token,
    asks: metadataToken,
    field: 'lifetime',
    before: [type('{}')],
    typed: ['', 'soon', '0', '-1h', '1.5h'],
    says: /Enter a duration/,
  },
  {
    ...exported,
    asks: auditQuery,
    field: 'dates',
    before: [],
    typed: ['tomorrow', '2026-13-01', '2026-02-30', '2026-02-01 2026-01-01', '2026-01-01 2026-01-02 2026-01-03'],
    says: /date/i,
  },
  {
    ...exported,
    asks: auditQuery,
    field: 'what to look for',
    before: [type(''), pick('By Event…')],
    typed: ['', ' '],
    says: /Enter a text to search for/,
  },
  {
    ...version,
    asks: deploymentConsole,
    field: 'version',
    before: [pick('Another Version…')],
    typed: ['', 'newest', '1.2', 'image:1.2.3', 'v'],
    says: /Enter <version>/,
  },
  {
    ...created,
    asks: 'features/deployments/vscode/create-deployment.ts',
    field: 'name',
    before: [],
    typed: ['', '  '],
    says: /Enter a name/,
  },
  {
    ...created,
    asks: 'features/deployments/vscode/create-deployment.ts',
    field: 'provider settings',
    before: [type('Never'), pick('N. Virginia'), pick('cubecloud'), pick('upload'), pick('cli')],
    typed: ['[]', '7', '{"region":'],
    says: /Enter a JSON object/,
  },
  {
    ...created,
    asks: 'features/deployments/vscode/create-deployment.ts',
    field: 'value that is not listed',
    before: [type('Never'), pick('Another Region…')],
    typed: ['', '  '],
    says: /Enter a value/,
  },
  {
    ...github,
    asks: 'features/deployments/vscode/github.ts',
    field: 'repository',
    before: [pick('Another Repository…')],
    typed: ['', 'shop', 'a/b/c'],
    says: /Enter an owner and a name/,
  },
  {
    ...github,
    asks: 'features/deployments/vscode/github.ts',
    field: 'branch',
    before: [pick('shop'), pick('marketing-model'), pick('Another Branch…')],
    typed: ['', '  '],
    says: /Enter a branch/,
  },
  {
    ...version,
    asks: 'features/deployments/vscode/deployment-settings.ts',
    field: 'name',
    before: [pick('Rename…')],
    typed: ['', ' '],
    says: /Enter a name/,
  },
  {
    ...found,
    asks: 'features/workspace/vscode/choose-items.ts',
    field: 'spreadsheet',
    before: [pick('Reports of a Spreadsheet…')],
    typed: ['', ' '],
    says: /Enter the id of a spreadsheet/,
  },
  {
    ...item,
    asks: itemCommands,
    field: 'public id',
    before: [pick('Report')],
    typed: ['', 'no spaces', 'a/b', 'ä'],
    says: /Enter letters, digits/,
  },
  {
    ...sheet,
    asks: itemCommands,
    field: 'spreadsheet',
    before: [],
    typed: ['', ' '],
    says: /Enter the id of the spreadsheet/,
  },
  {
    ...renamed,
    asks: itemCommands,
    field: 'new name',
    before: [],
    typed: ['', ' '],
    says: /Enter a name/,
  },
  {
    ...shown,
    asks: 'features/workspace/vscode/notification-filter.ts',
    field: 'person',
    before: [pick('By E-mail Address…')],
    typed: ['', ' '],
    says: /Enter a value/,
  },
  {
    ...deleted,
    asks: 'shell/vscode/protection.ts',
    field: 'confirmation',
    before: [],
    typed: ['Something else', 'shop '],
    says: /Type “.*” exactly/,
  },
];

const notification = { name: 'Mine', dashboardPublicId: 'dashboard-store-performance', recipients: [] };

const only = (variable: object): object => ({ env_variables: [variable] });

/** Documents that are forms: each field that a user may get wrong. */
export const wrongDocuments: readonly WrongDocument[] = [
  { ...item, answers: [pick('Report'), type('wrong-1')], saves: { name: 7 }, marks: /name: must be text/ },
  { ...item, answers: [pick('Report'), type('wrong-1')], saves: { name: '' }, marks: /name: must not be empty/ },
  { ...item, answers: [pick('Report'), type('wrong-1')], saves: { name: 'x', folderId: true }, marks: /folderId/ },
  { ...item, answers: [pick('Workbook'), type('wrong-2')], saves: { name: 7 }, marks: /name: must be text/ },
  { ...item, answers: [pick('Workbook'), type('wrong-2')], saves: { name: 'x', folderId: true }, marks: /folderId/ },
  { ...notify, answers: [], saves: { ...notification, dashboardId: 1 }, marks: /exactly one of dashboardId and/ },
  { ...notify, answers: [], saves: { name: 'Mine' }, marks: /exactly one of dashboardId and/ },
  { ...notify, answers: [], saves: { ...notification, name: 7 }, marks: /name/ },
  { ...notify, answers: [], saves: { ...notification, recipients: 'ada' }, marks: /recipients/ },
  { ...variables, answers: [], saves: only({ name: '1A', value: 'x' }), marks: /“1A”: A name has letters, digits/ },
  { ...variables, answers: [], saves: only({ name: 'A', value: 7 }), marks: /“A”: "value" must be text/ },
  { ...variables, answers: [], saves: only({ name: 'A', value: '***' }), marks: /“A” has a masked value/ },
  { ...variables, answers: [], saves: {}, marks: /must be an object with “env_variables”/ },
];

const whole = [type('Refused'), pick('N. Virginia'), pick('cubecloud'), pick('upload'), pick('cli'), type('')] as const;
const repository = [pick('shop'), pick('marketing-model'), pick('main'), press('Connect {name} to GitHub')] as const;

/** Every request of these forms. An operation of their commands without a row fails the same gate. */
export const refusedRequests: readonly RefusedRequest[] = [
  { ...signIn, operation: 'listDeployments', answers: [type('{url}'), type('another-key'), escape] },
  { ...token, operation: 'createMetadataToken', answers: [type('{}'), type('1h')] },
  { ...exported, operation: 'exportAuditLog', answers: [type(''), pick('Everything'), type('{file}')] },
  { ...version, operation: 'listDeploymentVersions', answers: [] },
  {
    ...version,
    operation: 'updateDeployment',
    answers: [pick('Another Version…'), type('9.9.9'), press('Change Version')],
  },
  {
    ...version,
    operation: 'updateDeployment',
    answers: [pick('Rename…'), type('Refused'), press('Change Settings')],
  },
  { ...created, operation: 'listRegions', answers: whole.slice(0, 1), goesOn: [403, 404] },
  { ...created, operation: 'createDeployment', answers: whole },
  { ...deleted, operation: 'deleteDeployment', answers: [type('{name}')] },
  { ...github, operation: 'getGithubStatus', answers: [] },
  { ...github, operation: 'listGithubInstallations', answers: [], goesOn: [404] },
  { ...github, operation: 'listGithubRepositories', answers: repository.slice(0, 1), goesOn: [404] },
  { ...github, operation: 'listGithubBranches', answers: repository.slice(0, 2), goesOn: [404] },
  { ...github, operation: 'connectGithub', answers: repository },
  { ...setup, operation: 'advanceCreationStep', answers: [pick('Next Step')] },
  { ...setup, operation: 'resetCreationStep', answers: [pick('Start Again')] },
  { ...variables, operation: 'getEnvVars', answers: [] },
  { ...variables, operation: 'setEnvVars', answers: [press('Write')], saves: { env_variables: [] } },
  { ...dbt, operation: 'startDbtSync', answers: [pick('main'), press('Start dbt Sync on main (production)')] },
  { ...pods, operation: 'listPods', answers: [] },
  { ...shown, operation: 'listNotifications', answers: [pick('All')] },
  {
    ...shown,
    operation: 'updateNotification',
    answers: [pick('All'), pick('{notification}'), press('Save')],
    saves: { name: 'Refused' },
  },
  { ...notify, operation: 'createNotification', answers: [press('Create')], saves: notification },
  { ...unnotify, operation: 'deleteNotification', answers: [pick('{notification}'), type('{notification}')] },
  { ...sheet, operation: 'connectReportToWorkbook', answers: [type('a'), type('A1'), type('B2')] },
  { ...copy, operation: 'duplicateWorkbook', answers: [pick('My copy')] },
  {
    ...item,
    operation: 'upsertReportByPublicId',
    answers: [pick('Report'), type('refused'), press('Save')],
    saves: { name: 'Refused' },
  },
  {
    ...item,
    operation: 'upsertWorkbookBySlug',
    answers: [pick('Workbook'), type('refused'), press('Save')],
    saves: { name: 'Refused' },
  },
];

/** How the platform refuses, and what is said. A 5xx that is not tried again, so that no test waits for a pause. */
export const refusals: readonly { readonly status: number; readonly says: RegExp }[] = [
  { status: 400, says: /refused .*Check the/ },
  { status: 401, says: /does not accept/ },
  { status: 403, says: /refused .*ask an administrator/ },
  { status: 404, says: /does not know what/ },
  { status: 409, says: /status 409/ },
  { status: 422, says: /refused .*Check the/ },
  { status: 429, says: /asks to slow down .* in 600 s/ },
  { status: 501, says: /platform failed on/ },
];

/** A fault of the local platform: a refusal of an operation and of no other. */
export function refusalOf(operation: string, status: number) {
  const op = operations.find(({ id }) => id === operation);
  if (!op) throw new Error(`${operation} is no operation`);
  const path = `^${op.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`;
  return { kind: 'status' as const, status, method: op.method, path, ...(status === 429 ? { retryAfter: 600 } : {}) };
}
