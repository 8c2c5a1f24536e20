import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { unreachable } from '#base/result.ts';
import { isPlatformError } from '#api/errors.ts';
import {
  type LogChoice,
  type LogChoices,
  type LogNames,
  logNames,
  logText,
  parseMoment,
  withFilter,
} from '#features/logs/log-choice.ts';
import type { LogToHost } from '#features/logs/messages.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { fetchPods, type PlatformData } from '#features/platform/index.ts';

/** A property of a log that the user can change in a log view. */
export type LogField = Extract<LogToHost, { readonly type: 'choose' }>['what'];

/**
 * Asks for another source, container, pod, branch or start of a followed log; its other properties stay. `undefined`: nothing
 * changes.
 */
export async function changeLog(
  services: LogSource,
  target: DeploymentTarget,
  choices: LogChoices,
  { choice, what }: { readonly choice: LogChoice; readonly what: LogField },
): Promise<LogChoice | undefined> {
  const names = await logNames(services.data, target.accountId);
  const changed = await changedField(services, target, { choice, what, names, choices });
  if (changed) await choices.remember(target, changed, names);
  return changed;
}

interface Change {
  readonly choice: LogChoice;
  readonly what: LogField;
  readonly names: LogNames;
  readonly choices: LogChoices;
}

async function changedField(
  services: LogSource,
  target: DeploymentTarget,
  { choice, what, names, choices }: Change,
): Promise<LogChoice | undefined> {
  switch (what) {
    case 'source':
      return chooseSource(choice, names, choices.last(target));
    case 'container': {
      const container = await chooseContainer([...names.containers, ...choices.typedContainers(target)]);
      return container === undefined ? undefined : { ...choice, container };
    }
    case 'pod':
      return withFilter(choice, 'pod', await choosePod(services, target));
    case 'branchName':
      return withFilter(choice, 'branchName', await chooseBranch(services, target));
    case 'from':
      return withFilter(choice, 'from', await chooseStart());
    default:
      return unreachable(what);
  }
}

/** Offers the sources, and the logs that were last followed. */
async function chooseSource(
  choice: LogChoice,
  { sources }: LogNames,
  last: readonly LogChoice[],
): Promise<LogChoice | undefined> {
  return pick<LogChoice>('Which log do you want to follow?', [
    ...last.map((each) => ({
      label: text`$(history) ${logText(each)}`,
      description: text`last followed`,
      value: each,
    })),
    ...sources.map((source) => ({ label: textOf(source), value: { ...choice, source } })),
  ]);
}

const another = text`$(edit) Another Container…`;

async function chooseContainer(names: readonly string[]): Promise<string | undefined> {
  const picked = await pick('Which container’s log do you want to follow?', [
    ...[...new Set(names)].map((each) => ({ label: textOf(each), value: { typed: false, name: each } })),
    { label: another, description: text`by its name on the platform`, value: { typed: true, name: '' } },
  ]);
  if (picked?.typed !== true) return picked?.name;
  const typed = await askChecked({
    title: 'Follow Logs',
    prompt: 'The container’s name, as the platform’s own pages show it',
    validate: (value) => (value.trim() === '' ? 'Enter the name of a container.' : undefined),
  });
  return typed?.trim();
}

async function choosePod(services: LogSource, target: DeploymentTarget): Promise<string | undefined> {
  const pods = await fetchPods(services.data, target).catch(platformError);
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

/** Asks for a name if the list cannot be read, so that earlier choices are not lost. */
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

/** The dependencies of listing the pods and branches of a deployment. */
interface LogSource {
  readonly data: PlatformData;
}
