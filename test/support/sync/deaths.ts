import type { DiskKind } from './disk-kinds.ts';
import { everywhere } from './disk-faults.ts';
import { type FaultDesk, openFaultDesk } from './fault-desk.ts';
import { comeToAgree, killStory, lostVersions, pullPushAndChoose, toldText } from './kill-story.ts';
import { type Death, MortalProcess } from './mortal-process.ts';
import { FOLDER } from './simulated-ports.ts';

/** The problems in the folder of a process that was killed at a point. */
export interface Wrong {
  readonly death: Death;
  readonly problems: readonly string[];
}

/** The folder of the branch that is synced. */
const MODEL = 'model';

/**
 * Resolves to every point at which a process that runs the kill story can be killed: before each effect, and within each write.
 */
export async function everyDeath(kind: DiskKind): Promise<readonly Death[]> {
  const { effects } = await live(kind);
  return effects.flatMap((effect, index) => {
    const at = index + 1;
    return effect.startsWith('write ') ? [{ at }, { at, isTorn: true }] : [{ at }];
  });
}

/** Resolves to the problems after these deaths; with `isFirstEnough`, after the first one that has some. */
export async function judgeDeaths(
  kind: DiskKind,
  deaths: readonly Death[],
  { isFirstEnough = false } = {},
): Promise<readonly Wrong[]> {
  const wrong: Wrong[] = [];
  for (const death of deaths) {
    const { problems } = await live(kind, death);
    if (problems.length > 0) wrong.push({ death, problems });
    if (isFirstEnough && wrong.length > 0) break;
  }
  return wrong;
}

interface Lived {
  readonly effects: readonly string[];
  readonly problems: readonly string[];
}

/** Runs the story until the death, if there is one, and checks what the next process makes of it. */
async function live(kind: DiskKind, death?: Death): Promise<Lived> {
  const processes: MortalProcess[] = [];
  const isRunning = (pid: number): boolean => processes.some(({ machine, isDead }) => machine.pid === pid && !isDead);
  let next: Death | undefined;
  const start = (): MortalProcess => {
    const process = new MortalProcess(next, isRunning);
    processes.push(process);
    return process;
  };
  const base = killStory.flatMap(({ name, base }) =>
    base ? [[`${MODEL}/${name}`, toldText(name, 'base')] as const] : [],
  );
  const desk = openFaultDesk(Object.fromEntries(base), { kind, start });
  await pullPushAndChoose(desk.sync);
  await desk.sync.close();
  tellStory(desk);
  next = death;
  desk.restart();
  next = undefined;
  const { sync: mortal } = desk;
  const process = processes.at(-1);
  const end = pullPushAndChoose(mortal).then(async () => mortal.close());
  await Promise.race([end.catch(() => undefined), process?.death]);
  if (death === undefined) await end;
  desk.restart();
  const problems = await judge(desk);
  // The remains of the dead process hold timers.
  void mortal.close().catch(() => undefined);
  return { effects: process?.effects ?? [], problems };
}

function tellStory(desk: FaultDesk): void {
  for (const { name, local, remote } of killStory) {
    const file = `${MODEL}/${name}`;
    if (local === 'edit') desk.write(file, toldText(name, 'local now'));
    else if (local === null && desk.disk.has(`${FOLDER}/${file}`)) desk.disk.remove(`${FOLDER}/${file}`);
    if (remote === 'edit') desk.platform.files.set(file, toldText(name, 'remote now'));
    else if (remote === null) desk.platform.files.delete(file);
  }
}

async function judge(desk: FaultDesk): Promise<readonly string[]> {
  const { sync } = desk;
  const lost = async (when: string): Promise<readonly string[]> =>
    lostVersions(new Set(await everywhere(desk)), 'now', when);
  try {
    const problems = [...(await lost('after the kill')), ...(await comeToAgree(sync)), ...(await lost('in the end'))];
    await sync.close();
    const hidden = Object.keys(desk.files()).filter((name) => name.includes('.modelbench-'));
    return [...problems, ...hidden.map((name) => `left behind: ${name}`)];
  } catch (error) {
    return [`works no more: ${String(error)}`];
  }
}
