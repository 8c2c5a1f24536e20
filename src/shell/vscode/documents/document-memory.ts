import * as v from 'valibot';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Sequencer } from '#base/async.ts';
import { accountOf } from '#shell/account-of.ts';
import type { StateStore } from '#shell/ports.ts';
import type { UnsentRecord, UnsentRecords } from '#shell/unsent-record.ts';

/** The storage for unsent texts, which may contain secrets. */
type Texts = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;

/** The data from which a previously open document can be restored. */
export interface Remembered {
  readonly path: string;
  readonly recipe: Readonly<Record<string, unknown>>;
  /** Hash of the text that was last read or saved: shows whether the platform still has the same version. */
  readonly sum: string;
  /** That text, for documents that are merged. */
  readonly base?: string | undefined;
}

/** How many documents of closed editors are remembered. */
const kept = 30;

const schema = v.array(
  v.object({
    path: v.string(),
    recipe: v.record(v.string(), v.unknown()),
    sum: v.string(),
    base: v.optional(v.string()),
  }),
);

/** Where the documents of a window are remembered. */
export interface MemoryStores {
  readonly state: StateStore;
  readonly secrets: Texts;
  readonly records: UnsentRecords;
}

/**
 * Remembers the documents of a window for the editors that VS Code restores. What was stored and not sent comes back with the
 * account that it belongs to, and with no other (docs/security.md#what-is-not-sent-yet).
 */
export class DocumentMemory {
  readonly #state: StateStore;
  readonly #secrets: Texts;
  readonly #records: UnsentRecords;
  readonly #key: string;
  /** Changes of unsent texts, in the order in which they happened. */
  readonly #changes = new Sequencer();

  constructor({ state, secrets, records }: MemoryStores, key: string) {
    this.#state = state;
    this.#secrets = secrets;
    this.#records = records;
    this.#key = key;
  }

  /** Resolves to what restores a document; VS Code may not have stored it yet when the window ended, but its unsent text has it, too. */
  async get(path: string): Promise<Remembered | undefined> {
    return this.#listed(path) ?? (await this.#records.read(path));
  }

  async set(document: Remembered): Promise<void> {
    const others = this.#all().filter(({ path }) => path !== document.path);
    await this.#state.set(this.#key, [document, ...others].slice(0, kept));
  }

  /** Resolves to the text that auto save stored and that was not sent yet. */
  unsent(path: string): Promise<string | undefined> {
    return this.#changes.queue(async () => {
      const earlier = await this.#adopted(path);
      if (earlier !== undefined) return earlier;
      const record = await this.#records.read(path);
      return record && (record.text ?? this.#secrets.get(this.#secretName(record)));
    });
  }

  /** Stores an unsent text. Texts that may contain secrets go to the secret storage, which some hosts clear with the window. */
  setUnsent(document: Remembered, text: string, holds: 'nothing secret' | 'secrets'): Promise<void> {
    return this.#changes.queue(async () => {
      await this.#store(document, text, holds);
      await this.#forgetEarlier(document.path);
    });
  }

  /**
   * Forgets the unsent text, because it was sent or discarded. `isStillWanted` is asked when it would be forgotten: another text may
   * have been stored since.
   */
  forgetUnsent(path: string, isStillWanted: () => boolean = () => false): Promise<void> {
    return this.#changes.queue(async () => {
      if (!isStillWanted()) await this.#forget(path);
    });
  }

  /**
   * Forgets the documents of accounts that are signed out, with every text that may contain a secret. Other unsent texts stay for the
   * next sign-in to the same account, unless its data is erased.
   */
  async keepOnly(accountIds: ReadonlySet<string>): Promise<void> {
    const all = this.#all();
    const gone = all.filter(({ recipe }) => !accountIds.has(accountOf(recipe) ?? ''));
    if (gone.length === 0) return;
    await this.#state.set(
      this.#key,
      all.filter((each) => !gone.includes(each)),
    );
    for (const document of gone) await this.#changes.queue(async () => this.#forgetSecret(document));
  }

  async #store(document: Remembered, text: string, holds: 'nothing secret' | 'secrets'): Promise<void> {
    const { path, recipe, sum, base } = document;
    const record = { account: accountOf(recipe) ?? '', path, recipe, sum, base };
    if (holds === 'secrets') await this.#secrets.store(this.#secretName(record), text);
    await this.#records.write(holds === 'secrets' ? record : { ...record, text });
  }

  async #forget(path: string): Promise<void> {
    await this.#forgetEarlier(path);
    // Nearly every document has none, so nothing is written.
    const record = await this.#records.read(path);
    if (!record) return;
    if (record.text === undefined) await this.#secrets.delete(this.#secretName(record));
    await this.#records.remove(path);
  }

  async #forgetSecret({ path }: Remembered): Promise<void> {
    await this.#secrets.delete(this.#earlierName(path));
    const record = await this.#records.read(path);
    if (record && record.text === undefined) await this.#forget(path);
  }

  /** Stores the unsent text of an earlier version of the extension as one of this version; resolves to it. */
  async #adopted(path: string): Promise<string | undefined> {
    const name = this.#earlierName(path);
    const plain = this.#state.get(name);
    const isPlain = typeof plain === 'string';
    const text = isPlain ? plain : await this.#secrets.get(name);
    const document = this.#listed(path);
    if (text === undefined || !document) return text;
    await this.#store(document, text, isPlain ? 'nothing secret' : 'secrets');
    await this.#forgetEarlier(path);
    return text;
  }

  async #forgetEarlier(path: string): Promise<void> {
    const name = this.#earlierName(path);
    if (this.#state.get(name) !== undefined) await this.#state.set(name, undefined);
    if ((await this.#secrets.get(name)) !== undefined) await this.#secrets.delete(name);
  }

  /** Where earlier versions of the extension stored the text. */
  #earlierName(path: string): string {
    return `${this.#key}.unsent.${path}`;
  }

  /** Names the account as all secrets of an account do, so that signing out deletes it, whichever window has the document. */
  #secretName({ account, path }: Pick<UnsentRecord, 'account' | 'path'>): string {
    return `${this.#key}.unsent.${JSON.stringify([account, path])}`;
  }

  #listed(path: string): Remembered | undefined {
    return this.#all().find((each) => each.path === path);
  }

  #all(): readonly Remembered[] {
    const stored = v.safeParse(schema, this.#state.get(this.#key));
    return stored.success ? stored.output : [];
  }
}
