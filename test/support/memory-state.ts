import type { ListedState } from '#shell/erased-texts.ts';

/** A memento in memory; values go through JSON as VS Code's do. */
export class MemoryState implements ListedState {
  readonly values = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get(key: string): unknown {
    const text = this.values.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  set(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}
