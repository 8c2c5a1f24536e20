import type { LockMachine } from '#sync/disk/lock-file.ts';
import { problem } from './simulated-disk.ts';

/** The point at which a process is killed. */
export interface Death {
  /** Number of the first effect that no longer happens, from 1. */
  readonly at: number;
  /** Whether the effect is a write of bytes, half of which are written. */
  readonly isTorn?: boolean;
}

/**
 * A process that is killed at one of its effects: a change of its disk, or a request to the platform. From then on it neither
 * changes nor sees anything. A kill between two effects could not leave a different state.
 */
export class MortalProcess {
  static #number = 1_000_000;
  readonly machine: LockMachine;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
  /** The effects so far, as descriptions of the calls. */
  readonly effects: string[] = [];
  readonly #died = Promise.withResolvers<void>();
  readonly #dies: Death | undefined;
  #isDead = false;

  /** `isRunning` returns whether the process with a number lives. */
  constructor(dies: Death | undefined, isRunning: (pid: number) => boolean) {
    this.#dies = dies;
    this.death = this.#died.promise;
    MortalProcess.#number += 1;
    const machine = { elapsed: () => performance.now(), uptime: () => 1, bootId: () => 'the same boot' };
    this.machine = { ...machine, pid: MortalProcess.#number, isRunning };
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Records a call that changes nothing. */
  look(): void {
    if (this.#isDead) throw new Error('This process was killed.');
  }

  /** Records a call that is about to change a disk or the platform. */
  act(effect: string): void {
    this.look();
    this.effects.push(effect);
    if (this.#dies?.at !== this.effects.length) return;
    this.#isDead = true;
    this.#died.resolve();
    // Of data that does not fit, the simulated disk takes a part.
    throw this.#dies.isTorn === true ? problem('ENOSPC', effect) : new Error('This process is killed now.');
  }
}
