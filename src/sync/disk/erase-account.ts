import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parsedJson } from '#base/json.ts';
import { isProposalFile } from '#chat-core/proposal-files.ts';
import { accountOfScope } from '#chat-core/scope.ts';
import { codeOf } from '#base/system-error.ts';
import { Disk } from './disk.ts';

/** The file that names the account that owns the storage of a linked folder. */
export const ACCOUNT_FILE = 'account';

/**
 * Erases what this machine stores for an account besides its keys: chat transcripts and, per linked folder, the
 * versions, the trash and the sync records, and the unsent texts of documents. The files in the user's folders stay. `storage`: the extension's global
 * storage.
 */
export async function eraseAccount(storage: string, accountId: string): Promise<void> {
  const { accounts, syncs } = await readNote(storage);
  const theirs = await syncsOf(path.join(storage, 'sync'), accountId);
  await writeNote(storage, {
    accounts: [...new Set([...accounts, accountId])],
    syncs: [...new Set([...syncs, ...theirs])],
  });
  await eraseNow(storage, accountId);
}

/**
 * Erases what an open window has written for an erased account since then, unless the user has signed in to the account
 * again.
 */
export async function eraseLeftovers(storage: string, isSignedIn: (accountId: string) => boolean): Promise<void> {
  const { accounts, syncs } = await readNote(storage);
  if (accounts.length === 0) return;
  for (const accountId of accounts) if (!isSignedIn(accountId)) await eraseNow(storage, accountId);
  // What was open when its account was erased is not opened again, so nothing in it names the account.
  const folder = path.join(storage, 'sync');
  for (const name of syncs) if ((await ownerOf(folder, name)) === undefined) await eraseSync(folder, name);
  await rm(path.join(storage, NOTE), { force: true });
}

async function eraseNow(storage: string, accountId: string): Promise<void> {
  await eraseSyncs(path.join(storage, 'sync'), accountId);
  await eraseThreads(path.join(storage, 'chat'), accountId);
  await eraseUnsent(path.join(storage, 'unsent'), accountId);
}

/** The accounts that were erased since the last start. */
const NOTE = 'erased-accounts.json';

/** What was erased since the last start: accounts, and the names of the storages of their linked folders. */
interface ErasedNote {
  readonly accounts: readonly string[];
  readonly syncs: readonly string[];
}

async function readNote(storage: string): Promise<ErasedNote> {
  const noted = parsedJson((await textOf(path.join(storage, NOTE))) ?? '');
  // Earlier versions noted the accounts only.
  if (Array.isArray(noted)) return { accounts: textsIn(noted), syncs: [] };
  const { accounts, syncs } = (noted ?? {}) as Readonly<Record<string, unknown>>;
  // Names, not paths: nothing else may be erased.
  return { accounts: textsIn(accounts), syncs: textsIn(syncs).filter((name) => /^[\w-]+$/.test(name)) };
}

function textsIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

async function writeNote(storage: string, note: ErasedNote): Promise<void> {
  await new Disk().replaceDurably(path.join(storage, NOTE), new TextEncoder().encode(JSON.stringify(note)));
}

async function eraseSyncs(folder: string, accountId: string): Promise<void> {
  for (const name of await syncsOf(folder, accountId)) await eraseSync(folder, name);
}

async function eraseSync(folder: string, name: string): Promise<void> {
  await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}

/** Resolves to the names of the storages of an account's linked folders. */
async function syncsOf(folder: string, accountId: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of await namesIn(folder)) if ((await ownerOf(folder, name)) === accountId) names.push(name);
  return names;
}

async function ownerOf(folder: string, name: string): Promise<string | undefined> {
  return textOf(path.join(folder, name, ACCOUNT_FILE));
}

/** Erases the threads whose scope begins with the account; the index repeats the title of each thread. */
async function eraseThreads(folder: string, accountId: string): Promise<void> {
  const isTheirs = (record: unknown): boolean => accountOfScope(scopeOf(record) ?? '') === accountId;
  const inJson = JSON.stringify(accountId).slice(1, -1);
  const index = path.join(folder, 'index.json');
  const listed = parsedJson((await textOf(index)) ?? '');
  if (Array.isArray(listed) && listed.some(isTheirs)) {
    const others = listed.filter((each) => !isTheirs(each));
    await new Disk().replaceDurably(index, new TextEncoder().encode(JSON.stringify(others)));
  }
  const names = await namesIn(folder);
  for (const name of names) {
    if (!name.endsWith('.jsonl')) continue;
    const text = (await textOf(path.join(folder, name))) ?? '';
    if (text.split('\n').some((line) => line.includes(inJson) && isTheirs(parsedJson(line)))) {
      const thread = name.slice('thread-'.length, -'.jsonl'.length);
      // Remove the thread last: while it exists, another attempt finds the rest of it.
      for (const own of [...names.filter((other) => isProposalFile(other, thread)), name])
        await rm(path.join(folder, own), { force: true });
    }
  }
}

/** Erases the texts of documents that were not sent, in whichever workspace they were typed. */
async function eraseUnsent(folder: string, accountId: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const file = path.join(folder, name);
    const text = (await textOf(file)) ?? '';
    // One that a crash cut off cannot be parsed; it names the account wherever it got that far.
    const isTheirs =
      isOf(parsedJson(text), accountId) || (name.endsWith('.tmp') && text.includes(JSON.stringify(accountId)));
    if (isTheirs) await rm(file, { force: true });
  }
}

function isOf(record: unknown, accountId: string): boolean {
  return typeof record === 'object' && record !== null && 'account' in record && record.account === accountId;
}

function scopeOf(record: unknown): string | undefined {
  if (typeof record !== 'object' || record === null || !('scope' in record)) return undefined;
  return typeof record.scope === 'string' ? record.scope : undefined;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw error;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error))) return undefined;
    throw error;
  }
}
