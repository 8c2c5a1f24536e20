import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '#base/async.ts';
import { codeOf } from '#base/system-error.ts';
import { parseUnsentRecord, type UnsentRecord, type UnsentRecords } from '#shell/unsent-record.ts';

/** The folder of the extension's global storage with the unsent texts of all workspaces: `sync/disk/erase-account.ts` erases there. */
export const unsentFolder = 'unsent';

/**
 * Stores unsent texts as files that are there at once: VS Code writes a workspace's state only a moment later, so a browser or a
 * host that ends before that would lose what was typed last. `owner` distinguishes workspaces and kinds of documents.
 */
export class UnsentFiles implements UnsentRecords {
  readonly #folder: string;
  readonly #owner: readonly string[];
  readonly #writes = new Sequencer();

  constructor(storage: string, owner: readonly string[]) {
    this.#folder = join(storage, unsentFolder);
    this.#owner = owner;
  }

  async read(path: string): Promise<UnsentRecord | undefined> {
    try {
      const record = parseUnsentRecord(await readFile(this.#at(path), 'utf8'));
      return record?.path === path ? record : undefined;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async write(record: UnsentRecord): Promise<void> {
    await this.#writes.queue(async () => {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const file = this.#at(record.path);
      const unfinished = `${file}.${randomUUID()}.tmp`;
      try {
        await writeDurably(unfinished, JSON.stringify(record));
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    });
  }

  async remove(path: string): Promise<void> {
    await this.#writes.queue(async () => rm(this.#at(path), { force: true }));
  }

  #at(path: string): string {
    const name = createHash('sha256')
      .update(JSON.stringify([...this.#owner, path]))
      .digest('hex');
    return join(this.#folder, `${name}.json`);
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
