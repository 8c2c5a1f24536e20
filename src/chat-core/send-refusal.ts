import type { ChatTarget, MissingPart } from './ports.ts';
import { type ChatThread, type TurnBranch, isRunning } from './thread.ts';

/** Why a question was not sent; the user decides how to continue. */
export type SendRefusal =
  | { readonly kind: 'missing'; readonly what: MissingPart; readonly message: string }
  | { readonly kind: 'running' }
  | { readonly kind: 'empty' }
  /** The thread belongs to another account or address. */
  | { readonly kind: 'elsewhere' }
  /** There is no running answer of someone else on the thread any more, or the platform has not named the thread. */
  | { readonly kind: 'notFollowed' }
  /** The context to attach could not be read. */
  | { readonly kind: 'context'; readonly message: string }
  /** The thread's last turn ran on another branch than the active one. */
  | { readonly kind: 'branchChanged'; readonly from: TurnBranch; readonly to: TurnBranch };

/** Returns why a thread accepts no question for a target now; `acceptBranch` allows a different branch than before. */
export function sendRefusalOf(thread: ChatThread, target: ChatTarget, acceptBranch: boolean): SendRefusal | undefined {
  const last = thread.turns.at(-1);
  if (last && isRunning(last)) return { kind: 'running' };
  if (!last) return undefined;
  if (thread.scope !== target.scope) return { kind: 'elsewhere' };
  const [from, to] = [last.branch, target.branch];
  if (!acceptBranch && from && to && from.name !== to.name) return { kind: 'branchChanged', from, to };
  return undefined;
}
