import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { isPlatformError } from '#api/errors.ts';
import { listPods } from '#api/runtime.ts';
import { type LogChoice, type LogChoices, logNames, logWords, parseMoment } from '#features/logs/log-choice.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';

type Filter = Omit<LogChoice, 'source' | 'container'>;
type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Asks which log to follow: a source, a container and, if the user wants, a pod, a branch and a start. */
export async function chooseLog(
  services: LogSource,
  target: DeploymentTarget,
  choices: LogChoices,
): Promise<LogChoice | undefined> {
  const names = await logNames(services.data.client(target.accountId));
  const source = await pick<LogChoice | string>('Which log do you want to follow?', [
    ...choices.last(target).map((choice) => ({
      label: text`$(history) ${logWords(choice)}`,
      description: text`last followed`,
      value: choice,
    })),
    ...names.sources.map((each) => ({ label: textOf(each), value: each })),
  ]);
  if (source === undefined) return undefined;
  if (typeof source !== 'string') return source;
  const container = await chooseContainer([...names.containers, ...choices.typedContainers(target)]);
  const filter = container === undefined ? undefined : await chooseFilter(services, target, source, container);
  if (container === undefined || !filter) return undefined;
  const choice = { source, container, ...filter };
  await choices.remember(target, choice, names);
  return choice;
}

const another = text`$(edit) Another Container…`;

async function chooseContainer(names: readonly string[]): Promise<string | undefined> {
  const picked = await pick('The log of which container?', [
    ...[...new Set(names)].map((each) => ({ label: textOf(each), value: { typed: false, name: each } })),
    { label: another, description: text`as the platform names it`, value: { typed: true, name: '' } },
  ]);
  if (picked?.typed !== true) return picked?.name;
  const typed = await askChecked({
    title: 'Follow Logs',
    prompt: 'The container’s name, as the platform’s own pages show it',
    validate: (value) => (value.trim() === '' ? 'Enter the name of a container.' : undefined),
  });
  return typed?.trim();
}

/** Asks what to leave out until the user follows the log; everything by default. */
async function chooseFilter(
  services: LogSource,
  target: DeploymentTarget,
  source: string,
  container: string,
): Promise<Filter | undefined> {
  const filter: Writable<Filter> = {};
  for (;;) {
    const { pod = 'all', branchName = 'all', from = 'the newest lines' } = filter;
    const next = await pick(logWords({ source, container, ...filter }), [
      { label: text`$(play) Follow`, value: 'follow' as const },
      { label: text`Pod…`, description: textOf(pod), value: 'pod' as const },
      { label: text`Branch…`, description: textOf(branchName), value: 'branch' as const },
      { label: text`From…`, description: textOf(from), value: 'from' as const },
    ]);
    if (next === undefined) return undefined;
    if (next === 'follow') return filter;
    if (next === 'pod') setOrDelete(filter, 'pod', await choosePod(services, target));
    if (next === 'branch') setOrDelete(filter, 'branchName', await chooseBranch(services, target));
    if (next === 'from') setOrDelete(filter, 'from', await chooseStart());
  }
}

/** An empty text takes a filter away; without an answer it stays. */
function setOrDelete(filter: Writable<Filter>, field: keyof Filter, value: string | undefined): void {
  if (value === undefined) return;
  if (value === '') delete filter[field];
  else filter[field] = value;
}

async function choosePod(
  services: LogSource,
  { accountId, deploymentId }: DeploymentTarget,
): Promise<string | undefined> {
  const pods = await services.data.client(accountId).call(listPods, { params: { deploymentId } }).catch(platformError);
  if (pods instanceof Error) return typeName('The name of a pod', pods);
  return pick('Which pod’s lines do you want to see?', [
    { label: text`All Pods`, value: '' },
    ...pods.map(({ name, type, status }) => ({
      label: textOf(name),
      description: textOf([type, status].filter((fact) => fact !== undefined).join(' · ')),
      value: name,
    })),
  ]);
}

async function chooseBranch(services: LogSource, target: DeploymentTarget): Promise<string | undefined> {
  const branches = await services.data.of(target).branches.get().catch(platformError);
  if (branches instanceof Error) return typeName('The name of a branch', branches);
  return pick('Which branch’s lines do you want to see?', [
    { label: text`All Branches`, value: '' },
    ...branches.map(({ name }) => ({ label: textOf(name), value: name })),
  ]);
}

/** What was chosen before is not lost where a list cannot be read: the name can be typed. */
function typeName(prompt: string, { message }: Error): Promise<string | undefined> {
  return askChecked({ title: 'Follow Logs', prompt, problem: message });
}

function platformError(error: unknown): Error {
  if (isPlatformError(error) && error.kind !== 'cancelled') return error;
  throw error;
}

const starts = [
  { label: text`The Newest Lines`, value: '' },
  { label: text`15 Minutes Ago`, value: '15m' },
  { label: text`1 Hour Ago`, value: '1h' },
  { label: text`24 Hours Ago`, value: '24h' },
  { label: text`Another Time…`, value: 'another' },
];

async function chooseStart(): Promise<string | undefined> {
  const picked = await pick('From what time do you want to follow the log?', starts);
  if (picked === undefined || picked === '') return picked;
  if (picked !== 'another') return parseMoment(picked, Date.now());
  const typed = await askChecked({
    title: 'Follow Logs',
    prompt: 'Show lines from this time on',
    placeholder: '2026-11-22T08:00 or 90m, 12h, 7d ago',
    validate: (value) =>
      parseMoment(value, Date.now()) === undefined
        ? 'Enter a time such as 2026-11-22T08:00, or 90m, 12h or 7d.'
        : undefined,
  });
  return typed === undefined ? undefined : parseMoment(typed, Date.now());
}

async function pick<T>(
  placeHolder: string,
  items: readonly { readonly label: UserText; readonly description?: UserText; readonly value: T }[],
): Promise<T | undefined> {
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Follow Logs`,
    placeHolder: textOf(placeHolder),
    ignoreFocusOut: true,
  });
  return picked?.value;
}

/** Where the pods and branches of a deployment are asked for. */
interface LogSource {
  readonly data: PlatformData;
}
