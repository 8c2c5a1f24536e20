import * as v from 'valibot';
import { type Disposable } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { deploymentKey, type DeploymentTarget } from '#shell/targets.ts';
import type { StateStore } from '#shell/ports.ts';
import { workspaceItemSchema, type WorkspaceItem } from './workspace-items.ts';

const itemsSchema = v.array(workspaceItemSchema);

/**
 * The user's favourite reports and workbooks, stored per account and deployment on this machine. They are stored as last seen, so
 * that they are shown before the platform has responded.
 */
export class Favourites implements Disposable {
  readonly #state: StateStore;
  readonly #changed = new Emitter<void>();

  constructor(state: StateStore) {
    this.#state = state;
  }

  of(target: DeploymentTarget): readonly WorkspaceItem[] {
    this.#changed.track();
    const parsed = v.safeParse(itemsSchema, this.#state.get(keyOf(target)));
    return parsed.success ? parsed.output : [];
  }

  /** Appends items in their order; one that is already a favourite keeps its position and is updated. */
  add(target: DeploymentTarget, items: readonly WorkspaceItem[]): Promise<void> {
    const known = this.of(target).map((old) => items.find((item) => isSame(item, old)) ?? old);
    const added = items.filter((item) => !known.some((old) => isSame(item, old)));
    return this.#write(target, [...known, ...added]);
  }

  remove(target: DeploymentTarget, items: readonly Key[]): Promise<void> {
    return this.#write(
      target,
      this.of(target).filter((old) => !items.some((item) => isSame(item, old))),
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #write(target: DeploymentTarget, items: readonly WorkspaceItem[]): Promise<void> {
    await this.#state.set(keyOf(target), items);
    this.#changed.fire();
  }
}

/** A key that is unique for an item of a workspace: ids are only unique within a type. */
interface Key {
  readonly type: string;
  readonly id: string;
}

function isSame(a: Key, b: Key): boolean {
  return a.type === b.type && a.id === b.id;
}

function keyOf(target: DeploymentTarget): string {
  return `favourites.${deploymentKey(target)}`;
}
