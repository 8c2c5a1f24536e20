import { plural } from '#base/words.ts';
import { unreachable } from '#base/result.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import type { PauseReason } from '#sync/core/status/sync-facts.ts';
import type { WaitingSave, WaitReason } from '#sync/core/record/outbox.ts';
import type { SyncState } from '#sync/core/status/sync-state.ts';

/** The appearance of a state in the status bar and in the Changes view. */
export interface SyncText {
  /** For the status bar; empty where the counts say enough. */
  readonly short: string;
  /** A sentence that gives the reason and the next step. */
  readonly sentence: string;
  readonly icon: string;
  readonly needsAttention: boolean;
  /** The command that helps, where there is one. */
  readonly command?: { readonly id: CommandId; readonly title: string } | undefined;
}

/** Returns the texts for a state. */
export function syncText(state: SyncState): SyncText {
  switch (state.kind) {
    case 'halted':
      return shown('needs review', state.guard.message, 'warning', true);
    case 'readOnly':
      return shown('read-only', readOnlyTexts[state.why], 'lock');
    case 'paused':
      return { ...paused(state.by, state.count), needsAttention: state.by === 'signedOut' };
    case 'waiting':
      return waiting(state.count, state.reason);
    case 'failed':
      return shown('sync failed', state.error.message, 'warning', true);
    case 'busy':
      return shown('', busyTexts[state.what], 'sync~spin');
    case 'unknown':
      return shown('', 'Not compared yet.');
    case 'changes':
      return shown('', changesText(state));
    case 'frozen': {
      const sentence = `${plural(state.count, 'file')} cannot be synced: see “Not Synced” in the Changes view.`;
      return shown(`${state.count} not synced`, sentence, 'circle-slash');
    }
    case 'inSync':
      return shown('in sync', 'In sync.');
    default:
      return unreachable(state);
  }
}

function shown(short: string, sentence: string, icon = 'git-branch', needsAttention = false): SyncText {
  return { short, sentence, icon, needsAttention };
}

/** Returns the files that wait, each with its reason; a long list is only counted. */
export function waitingLines(outbox: readonly WaitingSave[]): readonly string[] {
  const lines = outbox
    .slice(0, MOST_LINES)
    .map(({ path, reason }) => (reason.message === '' ? path : `${path}: ${reason.message}`));
  return outbox.length > MOST_LINES ? [...lines, `and ${outbox.length - MOST_LINES} more`] : lines;
}

const MOST_LINES = 10;

const readOnlyTexts = {
  otherWindow: 'Another window syncs this folder; this one only shows its changes.',
  branch: 'Only your own dev branches can be written to. Start dev mode to upload changes.',
} as const;

const busyTexts = { checking: 'Comparing…', pushing: 'Uploading…', pulling: 'Downloading…' } as const;

function changesText(counts: Extract<SyncState, { kind: 'changes' }>): string {
  const { local, remote, conflicts } = counts;
  return `${plural(local, 'local change')}, ${plural(remote, 'remote change')}, ${plural(conflicts, 'conflict')}`;
}

function paused(by: PauseReason, count: number): Omit<SyncText, 'needsAttention'> {
  const saves = count === 0 ? 'saved files' : plural(count, 'saved file');
  switch (by) {
    case 'byUser': {
      const command = { id: 'modelbench.sync.resume', title: 'Resume Sync' } as const;
      const sentence = `Paused by you: ${saves} ${count === 1 ? 'waits' : 'wait'} until you resume sync.`;
      return { short: 'sync paused', sentence, icon: 'debug-pause', command };
    }
    case 'signedOut':
      return {
        short: 'signed out',
        sentence: `Paused: the platform does not accept the key. Sign in to upload ${saves}.`,
        icon: 'key',
        command: { id: 'modelbench.signIn', title: 'Sign In' },
      };
    case 'gitProvider':
      return {
        short: 'sync paused',
        sentence: 'Saved files wait for a push: a Git repository may overwrite uploads.',
        icon: 'info',
        command: { id: 'modelbench.push', title: 'Push…' },
      };
    case 'gitCheckout':
      return {
        short: 'sync paused',
        sentence: 'Paused while Git changes files here; push when it is done.',
        icon: 'info',
      };
    case 'ownPull':
      return { short: 'sync paused', sentence: 'Paused while the platform changes this branch for you.', icon: 'info' };
    default:
      return unreachable(by);
  }
}

function waiting(count: number, reason: WaitReason): SyncText {
  const short = count === 0 ? (reason.kind === 'offline' ? 'offline' : 'not available') : `${count} waiting`;
  const what = count === 0 ? 'Saved files will wait' : `${plural(count, 'file')} waiting`;
  const command = { id: 'modelbench.sync.sendWaiting', title: 'Try Again' } as const;
  const icon = reason.kind === 'offline' || reason.kind === 'unavailable' ? 'debug-disconnect' : 'warning';
  return { short, sentence: `${what}: ${reason.message}`, icon, needsAttention: count > 0, command };
}
