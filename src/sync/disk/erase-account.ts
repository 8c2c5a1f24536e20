import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parsedJson } from '#base/json.ts';
import { isProposalFile } from '#chat-core/proposal-files.ts';
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
  await writeNote(storage, [...new Set([...(await readNote(storage)), accountId])]);
  await eraseNow(storage, accountId);
}

/**
 * Erases what an open window has written for an erased account since then, unless the user has signed in to the account
 * again.
 */
export async function eraseLeftovers(storage: string, isSignedIn: (accountId: string) => boolean): Promise<void> {
  const noted = await readNote(storage);
  if (noted.length === 0) return;
  for (const accountId of noted) if (!isSignedIn(accountId)) await eraseNow(storage, accountId);
  await rm(path.join(storage, NOTE), { force: true });
}

async function eraseNow(storage: string, accountId: string): Promise<void> {
  await eraseSyncs(path.join(storage, 'sync'), accountId);
  await eraseThreads(path.join(storage, 'chat'), accountId);
  await eraseUnsent(path.join(storage, 'unsent'), accountId);
}

/** The accounts that were erased since the last start. */
const NOTE = 'erased-accounts.json';

async function readNote(storage: string): Promise<readonly string[]> {
  const noted = parsedJson((await textOf(path.join(storage, NOTE))) ?? '');
  return Array.isArray(noted) ? noted.filter((each) => typeof each === 'string') : [];
}

async function writeNote(storage: string, accountIds: readonly string[]): Promise<void> {
  await new Disk().replaceDurably(path.join(storage, NOTE), new TextEncoder().encode(JSON.stringify(accountIds)));
}

async function eraseSyncs(folder: string, accountId: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const entry = path.join(folder, name);
    if ((await textOf(path.join(entry, ACCOUNT_FILE))) !== accountId) continue;
    await rm(entry, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Erases the threads whose scope begins with the account; the index repeats the title of each thread. */
async function eraseThreads(folder: string, accountId: string): Promise<void> {
  const isTheirs = (record: unknown): boolean => scopeOf(record)?.startsWith(`${accountId} `) === true;
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
    if (text.split('\n').some((line) => line.includes(accountId) && isTheirs(parsedJson(line)))) {
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
    const isTheirs = isOf(parsedJson(text), accountId) || (name.endsWith('.tmp') && text.includes(accountId));
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
