import * as v from 'valibot';
import { isObject } from '#api/schema.ts';
import { parsed } from '#base/parsed.ts';
import { accountOf } from './account-of.ts';
import type { StateStore } from './ports.ts';

/** State whose names can be listed. */
export interface ListedState extends StateStore {
  readonly keys: () => readonly string[];
}

/** What is stored for the user and for the open workspace. */
export interface WindowStates {
  readonly user: ListedState;
  readonly workspace: ListedState;
}

/** The beginnings of the names of texts that a user typed; the rest names the account. */
const typed = ['stepDraft.', 'playground.'];
const erasedKey = 'erasedAccounts';
const seenKey = 'erasedAccounts.seen';
/** How many erased accounts are noted for workspaces that are not open. */
const most = 100;

const schema = v.array(v.object({ id: v.string(), at: v.number() }));

/**
 * Erases the texts of an account that were typed and not sent, and what was sent on its behalf, from the state of the user and of
 * this workspace, and notes the account for the others. `now`: milliseconds since the epoch.
 */
export async function eraseTexts({ user, workspace }: WindowStates, accountId: string, now: number): Promise<void> {
  await noteErased(user, accountId, now);
  await eraseFrom(user, accountId);
  await eraseMissed({ user, workspace });
}

/**
 * Notes an account for windows of other workspaces. Call it also before the account is removed, because they read the note when
 * the accounts change. `now`: milliseconds since the epoch.
 */
export async function noteErased(user: StateStore, accountId: string, now: number): Promise<void> {
  const erased = erasedIn(user);
  const others = erased.filter(({ id }) => id !== accountId);
  // Also where the clock was set back, this is later than what others have seen.
  const at = Math.max(now, ...erased.map((earlier) => earlier.at + 1));
  await user.set(erasedKey, [{ id: accountId, at }, ...others].slice(0, most));
}

/** Erases from this workspace the texts of accounts that another window has erased since this workspace was open. */
export async function eraseMissed({ user, workspace }: WindowStates): Promise<void> {
  const erased = erasedIn(user);
  const seen = workspace.get(seenKey);
  const missed = erased.filter(({ at }) => typeof seen !== 'number' || at > seen);
  if (missed.length === 0) return;
  for (const { id } of missed) await eraseFrom(workspace, id);
  await workspace.set(seenKey, Math.max(...missed.map(({ at }) => at)));
}

/** Returns when each account was erased last, by id, in milliseconds since the epoch. */
export function erasedTimes(user: Pick<StateStore, 'get'>): Readonly<Record<string, number>> {
  return Object.fromEntries(erasedIn(user).map(({ id, at }) => [id, at]));
}

function erasedIn(user: Pick<StateStore, 'get'>): v.InferOutput<typeof schema> {
  return parsed(schema, user.get(erasedKey)) ?? [];
}

async function eraseFrom(state: ListedState, accountId: string): Promise<void> {
  for (const key of state.keys()) {
    if (key === erasedKey || key === seenKey) continue;
    const value = state.get(key);
    const isTheirs = typed.some((prefix) => key.startsWith(prefix)) && key.includes(JSON.stringify(accountId));
    if (isTheirs) await state.set(key, undefined);
    else if (Array.isArray(value)) await eraseItems(state, key, value, accountId);
  }
}

/** Erases the items of a list that name the account. */
async function eraseItems(
  state: ListedState,
  key: string,
  items: readonly unknown[],
  accountId: string,
): Promise<void> {
  const others = items.filter((item) => !isObject(item) || accountOf(item) !== accountId);
  if (others.length < items.length) await state.set(key, others);
}
