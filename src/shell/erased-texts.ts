import { largest } from '#base/long-lists.ts';
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
  const at = largest([now, ...erased.map((earlier) => earlier.at + 1)]);
  await user.set(erasedKey, [{ id: accountId, at }, ...others].slice(0, most));
}

/** Erases from this workspace the texts of accounts that another window has erased since this workspace was open. */
export async function eraseMissed({ user, workspace }: WindowStates): Promise<void> {
  const erased = erasedIn(user);
  const seen = workspace.get(seenKey);
  const missed = erased.filter(({ at }) => typeof seen !== 'number' || at > seen);
  if (missed.length === 0) return;
  for (const { id } of missed) await eraseFrom(workspace, id);
  await workspace.set(seenKey, largest(missed.map(({ at }) => at)));
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
    const rest = isAbout(key, accountId) || ownerOf(value) === accountId ? undefined : without(value, accountId);
    if (rest !== value) await state.set(key, rest);
  }
}

/** Returns a list or a record without the entries that are about an account; the same one if there are none. */
function without(value: unknown, accountId: string): unknown {
  if (Array.isArray(value)) {
    const others: unknown[] = value.filter((item) => !isAbout(item, accountId));
    return others.length < value.length ? others : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const others = entries.filter(([name, item]) => !isAbout(name, accountId) && !isAbout(item, accountId));
  return others.length < entries.length ? Object.fromEntries(others) : value;
}

/**
 * Whether something stored is about an account: an object has its id, and a name or a key that was made of ids quotes it, as JSON
 * within JSON does with backslashes. What has an account of its own is about no other one.
 */
function isAbout(value: unknown, accountId: string): boolean {
  if (typeof value === 'string')
    return value.replaceAll('\\', '').includes(JSON.stringify(accountId).replaceAll('\\', ''));
  const owner = accountOf(value);
  if (owner !== undefined) return owner === accountId;
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => isAbout(inner, accountId));
}

/** Returns the account that a whole value belongs to. */
function ownerOf(value: unknown): unknown {
  return isObject(value) ? value['accountId'] : undefined;
}
