import { isDevBranch } from '#api/resources/branches.ts';
import { joinTexts, text, textOf, type UserText, withIcon } from '#base/user-text.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import type { SyncState } from '#sync/core/status/sync-state.ts';
import { buildAppearance, type BuildState, buildText } from '#features/platform/index.ts';
import { type ChangeCounts, countsMark } from './change-counts.ts';
import { syncText } from '#features/folders/index.ts';

/** The data of the status bar item. */
export interface StatusLineInput {
  readonly deployment: string | undefined;
  /** The branch that saved files are pushed to; `undefined` if there is none. */
  readonly branch: string | undefined;
  /** Local changes, remote changes and conflicts; `undefined` before the first comparison. */
  readonly counts: ChangeCounts | undefined;
  /** The most important state of the branch's folders; `undefined` if none is linked. */
  readonly sync: SyncState | undefined;
  readonly build: BuildState | undefined;
  /** The short hash of the branch's last commit. */
  readonly hash?: string | undefined;
  readonly isProtected: boolean;
  /** The text of a stopped Git step that can continue; its open conflicts are included in `counts`. */
  readonly canContinue?: string | undefined;
}

export interface StatusLine {
  readonly text: UserText;
  readonly tooltip: string;
  readonly spoken: string;
  /** The command of a click: the next sensible step. */
  readonly command: CommandId;
  readonly tone: 'normal' | 'warning' | 'error';
}

/**
 * Returns the status bar item: branch · changes · build. At most three facts: the deployment is in the tooltip, except if there
 * is no dev branch to name. `undefined` hides the item.
 */
export function statusLine(input: StatusLineInput): StatusLine | undefined {
  if (input.deployment === undefined) return undefined;
  const branch = input.branch ?? 'no dev branch';
  const appearance = input.build && buildAppearance(input.build);
  const parts = [
    textOf(input.branch ?? `${input.deployment} · no dev branch`),
    input.canContinue === undefined
      ? textOf(countsText(input))
      : text`$(debug-continue) continue the ${input.canContinue}`,
    buildStatus(input.build),
  ];
  const step = nextStep(input);
  const syncStatus = input.sync && syncText(input.sync);
  const icon = syncStatus?.icon ?? 'git-branch';
  return {
    text: withIcon(
      icon,
      joinTexts(
        parts.filter((part): part is UserText => part !== undefined && part !== ''),
        ' · ',
      ),
    ),
    tooltip: tooltip(input, branch, step.label),
    spoken: `Modelbench: deployment ${input.deployment}, branch ${branch}, ${spokenSync(input)}${input.canContinue === undefined ? '' : `, the ${input.canContinue} can be continued`}${appearance ? `, ${appearance.label}` : ''}`,
    command: step.command,
    tone: tone(input),
  };
}

/** Returns the build's text. A successful build gets no icon, because the files already have a check mark. */
function buildStatus(build: BuildState | undefined): UserText | undefined {
  if (!build || build.phase === 'inactive') return undefined;
  const { icon, label } = buildAppearance(build);
  return build.phase === 'built' ? textOf(label) : withIcon(icon, textOf(label));
}

function countsText({ counts, sync }: StatusLineInput): string {
  const mark = counts ? countsMark(counts) : '';
  // The counts include conflicts of a Git step, which the sync of files does not know.
  const parts = [mark, sync && !(sync.kind === 'inSync' && mark !== '') ? syncText(sync).short : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the state's sentence, with the counts if the sentence does not contain them. */
function spokenSync({ counts, sync }: StatusLineInput): string {
  if (!sync) return 'not compared yet';
  const sentence = lowerFirst(syncText(sync).sentence.replace(/\.$/, ''));
  const { local = 0, remote = 0, conflicts = 0 } = counts ?? {};
  if (local + remote + conflicts === 0) return sentence;
  const changes = syncText({ kind: 'changes', local, remote, conflicts }).sentence;
  return ['changes', 'busy', 'inSync'].includes(sync.kind) ? changes : `${sentence}, ${changes}`;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

interface Step {
  readonly command: CommandId;
  readonly label: string;
}

function nextStep(input: StatusLineInput): Step {
  const { branch, build, sync } = input;
  if (branch === undefined) return { command: 'modelbench.devMode.start', label: 'start dev mode' };
  const step = (sync && stepOf(sync)) ?? changesStep(input);
  if (step) return step;
  if (build?.phase === 'failed') return { command: 'modelbench.build.showError', label: 'show the build error' };
  return { command: 'modelbench.showMenu', label: 'show what can be done' };
}

/** Returns the step that helps if sync cannot continue. */
function stepOf(sync: SyncState): Step | undefined {
  if (sync.kind === 'halted') return { command: 'modelbench.push', label: 'review the changes' };
  const help = syncText(sync).command;
  // The title of a command, in a sentence.
  return help && { command: help.id, label: help.title.replace('…', '').toLowerCase() };
}

function changesStep({ counts, canContinue }: StatusLineInput): Step | undefined {
  if (counts && counts.conflicts > 0) return { command: 'modelbench.conflict.merge', label: 'resolve conflicts' };
  if (canContinue !== undefined) return { command: 'modelbench.git.continue', label: `continue the ${canContinue}` };
  if (counts && counts.remote > 0) return { command: 'modelbench.pullFiles', label: 'pull the remote changes' };
  if (counts && counts.local > 0) return { command: 'modelbench.push', label: 'push the local changes' };
  return undefined;
}

function tone({ branch, counts, isProtected, sync }: StatusLineInput): StatusLine['tone'] {
  if (counts && counts.conflicts > 0) return 'error';
  if (sync && syncText(sync).needsAttention) return 'warning';
  return branch !== undefined && (isProtected || !isDevBranch(branch)) ? 'warning' : 'normal';
}

function tooltip(input: StatusLineInput, branch: string, step: string): string {
  const lines = [
    `Deployment: ${input.deployment}`,
    `Branch: ${branch}${input.isProtected ? ' (protected)' : ''}`,
    `Files: ${spokenSync(input)}`,
    input.build && `Build: ${buildText(input.build, input.hash)}`,
    `Click to ${step}.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
