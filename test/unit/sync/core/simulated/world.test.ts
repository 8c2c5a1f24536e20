import { describe, expect, it } from 'vitest';
import { diskKinds } from '#support/sync/disk-kinds.ts';
import { DiskSide } from '#support/sync/disk-world.ts';
import { FOLDER } from '#support/sync/simulated-ports.ts';
import { SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { TORN } from '#support/sync/versions.ts';
import { Crash, World } from '#support/sync/world.ts';

const PATH = 'm/a';
const edit = { do: 'edit', path: 0 } as const;
const HIDDEN = `${FOLDER}/m/.modelbench-1.old`;

describe('a save that a power loss takes before the disk wrote it', () => {
  it('counts as the disk’s loss where the engine had just taken the file out of its place', () => {
    const world = onDisk();
    world.happen(edit);
    takeAway(world);
    losePower(world);
    world.side?.disk.remove(`${FOLDER}/${PATH}`);
    expect(world.lost()).not.toContain(2);
  });

  it('counts as the engine’s loss without the power loss, or once the disk wrote it', () => {
    const careless = onDisk();
    careless.happen(edit);
    takeAway(careless);
    careless.side?.disk.remove(HIDDEN);
    expect(careless.lost()).toEqual([2]);

    const written = onDisk();
    written.happen(edit);
    written.happen({ do: 'writeback' });
    takeAway(written);
    losePower(written);
    for (const file of written.side?.disk.files(FOLDER).keys() ?? []) written.side?.disk.remove(file);
    expect(written.lost()).toEqual([2]);
  });
});

describe('a file with unsaved changes in an editor', () => {
  it('must not be touched by the engine', () => {
    const world = new World(new Map(), () => false);
    world.happen(edit);
    world.happen({ do: 'open', path: 0 });
    world.step(world.life, 'effect', 'remove', () => world.local.delete(PATH));
    expect(world.witness.violations).toEqual([`touched under an editor: ${PATH}, by: remove`]);
  });

  it('may change by the hand of the user', () => {
    const world = new World(new Map(), () => false);
    world.happen(edit);
    world.happen({ do: 'open', path: 0 });
    world.happen({ do: 'save', path: 0 });
    expect(world.witness.violations).toEqual([]);
  });
});

describe('the empty file that a power loss left of a save', () => {
  it('stands for that save: who restores an older version over it gives up what the save had replaced', async () => {
    const world = torn();
    await world.restoring(PATH, async () => restore(world));
    world.remote.set(PATH, 9);
    expect(world.lost()).toEqual([]);
  });

  it('does not allow replacing that version without a question, or one that the user never had', async () => {
    const unasked = torn();
    unasked.remote.set(PATH, 9);
    restore(unasked);
    expect(unasked.lost()).toEqual([1]);

    const another = torn();
    another.happen({ do: 'theirEdit', path: 0 });
    await another.restoring(PATH, async () => restore(another));
    another.remote.set(PATH, 9);
    expect(another.lost()).toEqual([3]);
  });
});

function restore(world: World): void {
  world.step(world.life, 'effect', 'replace', () => world.local.set(PATH, 9));
}

/** The shared version 1 was replaced by a save, of which the power loss left an empty file. */
function torn(): World {
  // Tails for “nothing happened to it”, heads for “it is empty”.
  const sides = [false, true];
  const power = new World(atStep(1), () => sides.shift() ?? true);
  power.begin(PATH);
  power.happen({ do: 'writeback' });
  power.happen(edit);
  losePower(power);
  expect(power.local.get(PATH)).toBe(TORN);
  return power;
}

function onDisk(): World {
  const [kind = { name: '' }] = diskKinds;
  const coin = (): boolean => false;
  const world = new World(atStep(2), coin, { side: new DiskSide(new SimulatedDisk(kind), coin) });
  world.begin(PATH);
  return world;
}

const atStep = (step: number): Map<number, { readonly kind: 'powerLossAfter' }> =>
  new Map([[step, { kind: 'powerLossAfter' }]]);

function takeAway(world: World): void {
  world.step(world.life, 'stage', `rename ${FOLDER}/${PATH} ${HIDDEN}`, () =>
    world.side?.disk.rename(`${FOLDER}/${PATH}`, HIDDEN),
  );
}

function losePower(world: World): void {
  expect(() => world.step(world.life, 'state', 'lstat', () => undefined)).toThrow(Crash);
}
