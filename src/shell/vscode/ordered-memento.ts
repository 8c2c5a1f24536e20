import type * as vscode from '#shell/vscode/guarded/vscode.ts';
import { Sequencer } from '#base/async.ts';

const known = new WeakMap<vscode.Memento, OrderedMemento>();

/**
 * Returns a memento that writes one value after the other; the same one for the same memento.
 *
 * VS Code keeps all values of an extension as one text. It sends each stored text back to the extension, also where that has
 * changed another value since: what is stored before the next text arrives would bring the older values back, for example an
 * account that was just removed.
 */
export function orderedMemento(memento: vscode.Memento): OrderedMemento {
  const ordered = known.get(memento) ?? new OrderedMemento(memento);
  known.set(memento, ordered);
  return ordered;
}

/** A memento of VS Code whose values are written one after the other. */
export class OrderedMemento {
  readonly #memento: vscode.Memento;
  readonly #writes = new Sequencer();
  /** Values that are not stored yet. */
  readonly #waiting = new Map<string, { readonly value: unknown }>();

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const all = new Set([...this.#memento.keys(), ...this.#waiting.keys()]);
    return [...all].filter((key) => this.get(key) !== undefined);
  }

  get(key: string): unknown {
    const waiting = this.#waiting.get(key);
    return waiting ? waiting.value : this.#memento.get(key);
  }

  /** Resolves once the value is stored. It is read from now on. */
  update(key: string, value: unknown): Promise<void> {
    const write = { value };
    this.#waiting.set(key, write);
    return this.#writes.queue(async () => {
      try {
        await this.#memento.update(key, value);
      } finally {
        if (this.#waiting.get(key) === write) this.#waiting.delete(key);
      }
    });
  }
}
