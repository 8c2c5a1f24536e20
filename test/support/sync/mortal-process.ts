import type { LockMachine } from '#sync/disk/lock-file.ts';
import { problem } from './simulated-disk.ts';

/** Where a process is killed. */
export interface Death {
  /** Number of the effect that it does not come to any more, from 1. */
  readonly at: number;
  /** The effect is a write of bytes, half of which are written. */
  readonly isTorn?: boolean;
}

/**
 * A process that is killed at one of its effects: what it does to its disk, and what it asks of the platform. From then on it
 * changes and sees nothing any more. Between two effects nothing is there that a kill could leave in another state.
 */
export class MortalProcess {
  static #number = 1_000_000;
  readonly machine: LockMachine;
  /** Resolves when it dies. */
  readonly death: Promise<void>;
  /** What it did so far, as the calls say it. */
  readonly effects: string[] = [];
  readonly #died = Promise.withResolvers<void>();
  readonly #dies: Death | undefined;
  #isDead = false;

  /** `isRunning` answers whether the process of a number lives. */
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

  /** Something that changes nothing. */
  look(): void {
    if (this.#isDead) throw new Error('This process was killed.');
  }

  /** Something that changes a disk or the platform comes next. */
  act(effect: string): void {
    this.look();
    this.effects.push(effect);
    if (this.#dies?.at !== this.effects.length) return;
    this.#isDead = true;
    this.#died.resolve();
    // The simulated disk takes a part of what does not fit.
    throw this.#dies.isTorn === true ? problem('ENOSPC', effect) : new Error('This process is killed now.');
  }
}
