import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { ProposalRecords } from '#chat-core/proposal-records.ts';
import { emptyThread } from '#chat-core/thread.ts';
import { TranscriptStore } from '#chat-core/transcript-store.ts';
import { eraseAccount, eraseLeftovers } from '#sync/disk/erase-account.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { bytes, hashOf } from '#support/sync/disk.ts';
import { diskFiles } from '#features/chat/vscode/disk-files.ts';

const mine = 'https://work.example';
const others = 'https://work.example.org';

function storageFolder(): string {
  const storage = mkdtempSync(path.join(tmpdir(), 'erase-'));
  onTestFinished(() => rm(storage, { recursive: true, force: true, maxRetries: 3 }));
  return storage;
}

/** Leaves behind what a day of work does: a replaced version in the trash, a version, a base, and a transcript. */
async function work(storage: string, account: string, secret: string): Promise<void> {
  await sync(storage, account, secret, async (write) => write());
  const chat = diskFiles(path.join(storage, 'chat'));
  const threads = new TranscriptStore(chat, silentLogger);
  const proposals = new ProposalRecords(chat, `thread-${secret}`, (text) => hashOf(text));
  await proposals.keep(`# ${secret} proposed`);
  const local = new Map([['model/a.yml', `# ${secret}`]]);
  await proposals.begin('1-message', { local, branch: new Map(), isComplete: true });
  await threads.save({
    ...emptyThread(`thread-${secret}`, `${account} https://chat.example/1`, 1),
    title: `About ${secret}`,
  });
}

/** Opens the storage of a linked folder; `during` gets what stores versions and records in it. */
async function sync(
  storage: string,
  account: string,
  secret: string,
  during: (write: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = path.join(storageFolder(), 'model');
  mkdirSync(folder);
  const ports = await createNodePorts({
    folder,
    storage: path.join(storage, 'sync', hashOf(secret).slice(0, 16)),
    account,
    branch: 'dev-a',
    worker: new URL('../../../../src/sync/disk/hash-worker.ts', import.meta.url),
    logger: silentLogger,
  });
  const put = async (text: string, expected: string | undefined): Promise<void> => {
    const staged = await ports.files.stage('model/a.yml', bytes(text), hashOf(text));
    expect(await ports.files.replace(staged, expected, 'pull')).toMatchObject({ kind: 'done' });
  };
  await during(async () => {
    await put(`# ${secret}`, undefined);
    await put('# next', hashOf(`# ${secret}`));
    await ports.blobs.put(hashOf(`# ${secret} version`), bytes(`# ${secret} version`));
  });
  ports.dispose();
}

/** Every file below a folder with its text. */
function walk(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(folder, name)).isFile(),
  );
  return new Map(files.map((name) => [name, readFileSync(path.join(folder, name), 'latin1')]));
}

const traces = (storage: string, secret: string): readonly string[] =>
  [...walk(storage)].filter(([name, content]) => `${name}\n${content}`.includes(secret)).map(([name]) => name);

describe('signing out with erasing', () => {
  it('leaves nothing of the account on the disk, and the files of other accounts untouched', async () => {
    const storage = storageFolder();
    await work(storage, mine, 'magenta');
    await work(storage, others, 'cyan');
    // Transcript, index, trash and version: the test would prove nothing if one were not there.
    expect(traces(storage, 'magenta').length).toBeGreaterThanOrEqual(6);
    const kept = traces(storage, 'cyan').filter((name) => !name.endsWith('index.json'));

    await eraseAccount(storage, mine);

    expect(traces(storage, 'magenta')).toEqual([]);
    expect([...walk(storage).values()].filter((content) => content.includes(`${mine} `) || content === mine)).toEqual(
      [],
    );
    expect(traces(storage, 'cyan')).toEqual(expect.arrayContaining(kept));
    const threads = new TranscriptStore(diskFiles(path.join(storage, 'chat')), silentLogger);
    expect((await threads.list()).map(({ title }) => title)).toEqual(['About cyan']);
  });

  it('erases at the next start what a window that was open wrote again', async () => {
    const storage = storageFolder();
    await work(storage, mine, 'magenta');
    await eraseAccount(storage, mine);
    await work(storage, mine, 'magenta');
    await eraseLeftovers(storage, () => false);
    expect(traces(storage, 'magenta')).toEqual([]);
    expect([...walk(storage).values()].filter((content) => content.includes(mine))).toEqual([]);
    // From then on a new sign-in is safe.
    await work(storage, mine, 'yellow');
    await eraseLeftovers(storage, () => false);
    expect(traces(storage, 'yellow').length).toBeGreaterThanOrEqual(4);
  });

  it('erases at the next start what is written into a storage that was open all the time', async () => {
    const storage = storageFolder();
    await work(storage, others, 'cyan');
    await sync(storage, mine, 'magenta', async (write) => {
      await eraseAccount(storage, mine);
      await write();
    });
    expect(traces(storage, 'magenta')).not.toEqual([]);
    const kept = traces(storage, 'cyan');
    await eraseLeftovers(storage, () => false);
    expect(traces(storage, 'magenta')).toEqual([]);
    expect(traces(storage, 'cyan')).toEqual(kept);
  });

  it.each([
    ['https://work.example#ops', 'https://work.example#ops eu'],
    ['https://work.example#ops eu', 'https://work.example#ops'],
    ['https://work.example#the "best"', 'https://work.example#the'],
  ])('tells accounts apart whose names begin alike: %s', async (mine, others) => {
    const storage = storageFolder();
    await work(storage, mine, 'magenta');
    await work(storage, others, 'cyan');
    const kept = traces(storage, 'cyan').filter((name) => !name.endsWith('index.json'));
    await eraseAccount(storage, mine);
    expect(traces(storage, 'magenta')).toEqual([]);
    expect(traces(storage, 'cyan')).toEqual(expect.arrayContaining(kept));
  });

  it('spares an account that is signed in again', async () => {
    const storage = storageFolder();
    await eraseAccount(storage, mine);
    await work(storage, mine, 'magenta');
    await eraseLeftovers(storage, (id) => id === mine);
    expect(traces(storage, 'magenta').length).toBeGreaterThanOrEqual(4);
  });

  it('does nothing where nothing is stored', async () => {
    const storage = storageFolder();
    await eraseLeftovers(storage, () => false);
    await eraseAccount(storage, mine);
    await eraseLeftovers(storage, () => false);
    expect([...walk(storage)]).toEqual([]);
  });
});
