import { unreachable } from '#base/result.ts';
import { formatBytes } from '#base/words.ts';
import type { BaseEntry } from '#sync/core/base.ts';
import type { IgnoreMatch } from '#sync/core/selection/ignore.ts';
import type { Hash } from '#sync/core/hash.ts';
import { direction, type FrozenReason, type PlanEntry, type PlanGuard } from '#sync/core/planning/plan.ts';
import { conflictText, frozenReasons } from '#sync/core/planning/plan-text.ts';
import type { LocalState, RemoteFile } from '#sync/core/ports.ts';

/** Everything that decides whether a file is synced. */
export interface ExplainInput {
  readonly path: string;
  /** The folder that is synced; empty: all of the linked folder. */
  readonly modelFolder: string;
  readonly isInside: boolean;
  readonly local: LocalState;
  readonly base: BaseEntry | undefined;
  readonly remote: RemoteFile | undefined;
  readonly rule: IgnoreMatch | undefined;
  /** The file's entry in the last plan. */
  readonly entry: PlanEntry | undefined;
  readonly guards: readonly PlanGuard[];
  /** Why the name cannot be synced. */
  readonly name: FrozenReason | undefined;
  readonly isDirty: boolean;
  /** The reason why nothing can be uploaded now, as a sentence. */
  readonly held: string | undefined;
}

/** Explains in a few lines why a file is or is not in the plan: what happens next, why, and the known versions. */
export function explainText(input: ExplainInput): string {
  const { path, held, guards, entry } = input;
  const lines = [path, '', headline(input)];
  const way = entry && direction(entry);
  for (const guard of guards) {
    if (way && (guard.blocks === 'both' || guard.blocks === way)) lines.push(`Held back: ${guard.message}`);
  }
  if (way === 'push' && held !== undefined) lines.push(`Held back: ${held}`);
  if (input.isDirty) lines.push('The file has unsaved changes in an editor. Sync works with the saved version.');
  if (input.rule && !input.rule.ignored) lines.push(`Kept in sync by ${ruleText(input.rule)}.`);
  return `${[...lines, ...(input.isInside ? ['', ...versions(input)] : [])].join('\n')}\n`;
}

function headline(input: ExplainInput): string {
  const { isInside, modelFolder, rule, name, entry, local, remote } = input;
  if (!isInside) return `Not synced: only files in the folder “${modelFolder}” are synced.`;
  if (entry?.kind === 'frozen') return frozenText(entry.reason, entry.side);
  if (rule?.ignored === true)
    return `Not synced: ${rule.path === input.path ? 'it is' : `its folder ${rule.path} is`} left out by ${ruleText(rule)}.`;
  if (name !== undefined) return frozenText(name, 'local');
  if (local.kind === 'frozen') return frozenText(local.reason, 'local');
  if (entry) return entryText(entry);
  if (local.kind === 'absent' && !remote) return 'Not synced: there is no such file here or on the platform.';
  const [here, there] = [hashOf(local), remote?.hash];
  if (here === there) return 'In sync: the file is the same here and on the platform.';
  return 'Changed since the last scan. Refresh the changes to see what follows.';
}

function frozenText(reason: FrozenReason, side: 'local' | 'remote'): string {
  return `Not synced: ${side === 'remote' ? 'on the platform it is' : 'it is'} left alone (${frozenReasons[reason]}).`;
}

function entryText(entry: PlanEntry): string {
  switch (entry.kind) {
    case 'upload':
      return {
        added: 'To be uploaded: the file is new here.',
        changed: 'To be uploaded: the file changed here since the last sync, and not on the platform.',
        restored: 'To be uploaded: the file was deleted on the platform but changed here. The change wins.',
      }[entry.reason];
    case 'download':
      return {
        added: 'To be downloaded: the file is new on the platform.',
        changed: 'To be downloaded: the file changed on the platform since the last sync, and not here.',
        restored: 'To be downloaded: the file was deleted here but changed on the platform. The change wins.',
      }[entry.reason];
    case 'deleteRemote':
      return 'To be deleted on the platform: the file was deleted here. Only a push that you confirm deletes it.';
    case 'deleteLocal':
      return 'To be deleted here: the file was deleted on the platform. The version here goes to the trash.';
    case 'renameRemote':
      return `To be renamed on the platform, from ${entry.from}: the file was renamed here.`;
    case 'renameLocal':
      return `To be renamed here, from ${entry.from}: the file was renamed on the platform.`;
    case 'conflict': {
      const unread = entry.unread === undefined ? '' : ` ${entry.unread}`;
      return `Conflict: ${conflictText[entry.reason]}. Nothing is written until you choose a version.${unread}`;
    }
    case 'frozen':
      return frozenText(entry.reason, entry.side);
    case 'ignored':
      return 'Not synced: a rule leaves it out. The platform’s version stays as it is.';
    case 'adopt':
      return 'In sync: the file is the same here and on the platform.';
    case 'forget':
      return 'Not synced: the file is deleted on both sides.';
    default:
      return unreachable(entry);
  }
}

function ruleText({ source, file, line, pattern }: IgnoreMatch): string {
  switch (source) {
    case 'builtIn':
      return `the built-in rule “${pattern}”, which cannot be changed`;
    case 'settings':
      return `“${pattern}” in the setting modelbench.sync.ignore (entry ${line})`;
    case 'file':
      return `“${pattern}” in ${file ?? 'an ignore file'}, line ${line}`;
    default:
      return unreachable(source);
  }
}

function versions({ local, base, remote }: ExplainInput): readonly string[] {
  return [
    `Here:             ${version(hashOf(local), local.kind === 'file' ? local.size : undefined)}`,
    `At the last sync: ${version(base?.hash, base?.size)}`,
    `On the platform:  ${version(remote?.hash, remote?.size)}`,
  ];
}

function version(hash: Hash | undefined, size: number | undefined): string {
  if (hash === undefined) return 'none';
  return size === undefined ? hash.slice(0, 10) : `${hash.slice(0, 10)}, ${formatBytes(size)}`;
}

function hashOf(local: LocalState): Hash | undefined {
  return local.kind === 'file' ? local.hash : undefined;
}
