import * as v from 'valibot';
import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { isObject } from '#api/schema.ts';
import type { StateStore } from '#shell/ports.ts';

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

/** Remembers the documents of a window for the editors that VS Code restores. */
export class DocumentMemory {
  readonly #state: StateStore;
  readonly #texts: Texts;
  readonly #key: string;

  constructor(state: StateStore, texts: Texts, key: string) {
    this.#state = state;
    this.#texts = texts;
    this.#key = key;
  }

  get(path: string): Remembered | undefined {
    return this.#all().find((each) => each.path === path);
  }

  async set(document: Remembered): Promise<void> {
    const others = this.#all().filter(({ path }) => path !== document.path);
    await this.#state.set(this.#key, [document, ...others].slice(0, kept));
  }

  /** Resolves to the text that auto save stored and that was not sent yet. */
  async unsent(path: string): Promise<string | undefined> {
    const key = this.#textKey(path);
    const plain = this.#state.get(key);
    return typeof plain === 'string' ? plain : this.#texts.get(key);
  }

  /** Stores an unsent text. Texts that may contain secrets go to the secret storage, which some hosts clear with the window. */
  async setUnsent(path: string, text: string, holds: 'nothing secret' | 'secrets'): Promise<void> {
    const key = this.#textKey(path);
    await (holds === 'secrets' ? this.#texts.store(key, text) : this.#state.set(key, text));
  }

  /** Forgets the unsent text, because it was sent or discarded. */
  async forgetUnsent(path: string): Promise<void> {
    // Nearly every document has none, so nothing is written.
    if ((await this.unsent(path)) === undefined) return;
    const key = this.#textKey(path);
    await Promise.all([this.#state.set(key, undefined), this.#texts.delete(key)]);
  }

  /** Forgets everything that belongs to accounts that are signed out. */
  async keepOnly(accountIds: ReadonlySet<string>): Promise<void> {
    const all = this.#all();
    const gone = all.filter(({ recipe }) => !accountIds.has(accountOf(recipe) ?? ''));
    if (gone.length === 0) return;
    await this.#state.set(
      this.#key,
      all.filter((each) => !gone.includes(each)),
    );
    for (const { path } of gone) await this.forgetUnsent(path);
  }

  #textKey(path: string): string {
    return `${this.#key}.unsent.${path}`;
  }

  #all(): readonly Remembered[] {
    const stored = v.safeParse(schema, this.#state.get(this.#key));
    return stored.success ? stored.output : [];
  }
}

/** Finds the account id anywhere in a recipe. */
export function accountOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { accountId } = value;
  if (typeof accountId === 'string') return accountId;
  return Object.values(value)
    .map((inner) => accountOf(inner))
    .find((found) => found !== undefined);
}
