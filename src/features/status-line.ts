import { joinTexts, text, textOf, type UserText, withIcon } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { CommandId } from '#protocol/commands.ts';
import { isDevBranch } from './branches.ts';
import { buildWords } from './build-freshness.ts';
import { buildLook, type BuildState } from './build-state.ts';
import { type ChangeCounts, countsMark } from './change-counts.ts';

/** What the status bar knows. */
export interface StatusLineInput {
  readonly deployment: string | undefined;
  /** The branch that saved files go to; `undefined` when there is none. */
  readonly branch: string | undefined;
  /** Local changes, remote changes, conflicts; `undefined` before the first look. */
  readonly counts: ChangeCounts | undefined;
  readonly waiting: number;
  readonly offline: boolean;
  readonly busy: boolean;
  readonly build: BuildState | undefined;
  /** The branch's last commit, in short. */
  readonly hash?: string | undefined;
  readonly isProtected: boolean;
  /** A Git step that stopped and can go on, in words; its open conflicts are counted with the others. */
  readonly canContinue?: string | undefined;
}

export interface StatusLine {
  readonly text: UserText;
  readonly tooltip: string;
  readonly spoken: string;
  /** The next sensible step: what a click does. */
  readonly command: CommandId;
  readonly tone: 'normal' | 'warning' | 'error';
}

/** The status bar item: deployment · branch · counts · build; `undefined` hides it. */
export function statusLine(input: StatusLineInput): StatusLine | undefined {
  if (input.deployment === undefined) return undefined;
  const branch = input.branch ?? 'no dev branch';
  const look = input.build && buildLook(input.build.phase);
  const parts = [
    textOf(input.deployment),
    textOf(branch),
    textOf(countsText(input)),
    input.canContinue === undefined ? undefined : text`$(debug-continue) continue the ${input.canContinue}`,
    look && input.build?.phase !== 'inactive' ? withIcon(look.icon, textOf(look.words)) : undefined,
  ];
  const step = nextStep(input);
  const icon = input.offline ? 'cloud-offline' : input.busy ? 'sync~spin' : 'git-branch';
  return {
    text: withIcon(
      icon,
      joinTexts(
        parts.filter((part): part is UserText => part !== undefined && part !== ''),
        ' · ',
      ),
    ),
    tooltip: tooltip(input, branch, step.words),
    spoken: `Modelbench: deployment ${input.deployment}, branch ${branch}, ${spokenCounts(input)}${input.canContinue === undefined ? '' : `, the ${input.canContinue} can be continued`}${look ? `, ${look.words}` : ''}`,
    command: step.command,
    tone: tone(input),
  };
}

function countsText({ counts, waiting }: StatusLineInput): string {
  if (!counts) return '';
  const parts = [countsMark(counts), waiting > 0 ? `${waiting} waiting` : ''].filter((part) => part !== '');
  return parts.length === 0 ? '✓' : parts.join(' ');
}

function spokenCounts({ counts, offline }: StatusLineInput): string {
  if (offline) return 'offline';
  if (!counts) return 'not compared yet';
  const { local, remote, conflicts } = counts;
  if (local + remote + conflicts === 0) return 'in sync';
  return [plural(local, 'local change'), plural(remote, 'remote change'), plural(conflicts, 'conflict')].join(', ');
}

interface Step {
  readonly command: CommandId;
  readonly words: string;
}

function nextStep({ branch, counts, build, canContinue }: StatusLineInput): Step {
  if (branch === undefined) return { command: 'modelbench.devMode.start', words: 'start dev mode' };
  if (counts && counts.conflicts > 0) return { command: 'modelbench.conflict.merge', words: 'resolve conflicts' };
  if (canContinue !== undefined) return { command: 'modelbench.git.continue', words: `continue the ${canContinue}` };
  if (counts && counts.remote > 0) return { command: 'modelbench.pullFiles', words: 'bring the remote changes' };
  if (counts && counts.local > 0) return { command: 'modelbench.push', words: 'push the local changes' };
  if (build?.phase === 'failed') return { command: 'modelbench.build.showError', words: 'show the build error' };
  return { command: 'modelbench.showMenu', words: 'show what can be done' };
}

function tone({ branch, counts, isProtected }: StatusLineInput): StatusLine['tone'] {
  if (counts && counts.conflicts > 0) return 'error';
  return branch !== undefined && (isProtected || !isDevBranch(branch)) ? 'warning' : 'normal';
}

function tooltip(input: StatusLineInput, branch: string, step: string): string {
  const lines = [
    `Deployment: ${input.deployment}`,
    `Branch: ${branch}${input.isProtected ? ' (protected)' : ''}`,
    input.offline ? 'Offline: saved files wait and go to the platform when it can be reached again.' : undefined,
    input.counts && `Files: ${spokenCounts(input)}`,
    input.build && `Build: ${buildWords(input.build, input.hash)}`,
    `Click to ${step}.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
