import type { Clock } from '#base/clock.ts';
import { checkName } from '#base/file-names.ts';
import { Disk } from '#sync/disk/disk.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import type { FolderTurn } from '#sync/core/ports.ts';
import { LockFile, type LockMachine, thisMachine } from '#sync/disk/lock-file.ts';
import { readListing } from '#sync/core/remote/listing.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { diskKinds } from '../disk-kinds.ts';
import { planInput } from '../plan-input.ts';
import { SimulatedDisk } from '../simulated-disk.ts';
import { FOLDER, STORAGE } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B, push } from './rule-desk.ts';

const NAMES = 'base/file-names.ts';
const DAY = 24 * 60 * 60 * 1000;

/** Checks that these names are refused for this reason. */
function refuses(reason: string, ...names: readonly string[]): string | undefined {
  const passed = names.find((name) => checkName(`model/${name}`) !== reason);
  return verdict(passed === undefined, `“${passed}” is not refused as ${reason}`);
}

export const folderRules: readonly Rule[] = [
  rule(
    'name-invalid',
    'lets a name lead out of the folder',
    [[NAMES, "if (segment === '' || segment === '.' || segment === '..') return 'invalidName';", '']],
    () => refuses('invalidName', '../x.yml', 'a//b.yml', './a.yml'),
  ),
  rule(
    'name-reserved',
    'lets a name open a device on Windows',
    [[NAMES, "return 'reservedName';", 'return undefined;']],
    () => refuses('reservedName', 'con.yml', 'NUL', 'com1.yml'),
  ),
  rule(
    'name-forbidden',
    'lets the platform write a hidden file',
    [[NAMES, "if (segment.startsWith('.')) return true;", '']],
    () => refuses('forbiddenName', '.env', '.vscode/tasks.json', 'node_modules/x.js'),
  ),
  rule(
    'name-normal',
    'lets a name in that is another one in the usual form',
    [[NAMES, "if (path.normalize('NFC') !== path) return 'normalization';", '']],
    () => refuses('normalization', 'caf\u0065\u0301.yml'),
  ),
  rule(
    'name-collision',
    'brings a name that this folder has in other letters',
    [['sync/core/planning/clashes.ts', 'if (isRename([...group], input)) continue;', 'continue;']],
    () => {
      const { entries } = makePlan(planInput({ local: { 'model/a.yml': 'x' }, remote: { 'model/A.yml': 'y' } }));
      return verdict(
        entries.every(({ kind }) => kind === 'frozen'),
        'two names that differ in letter case are both brought',
      );
    },
  ),
  rule(
    'name-folder',
    'brings a file that the platform lists under the name of a folder',
    [
      [
        'sync/core/planning/clashes.ts',
        'if (input.remote.files.has(folder)) (isLocalFile ? filled : shadowed).add(folder);',
        'if (input.remote.files.has(folder)) continue;',
      ],
    ],
    () => {
      const { entries } = makePlan(planInput({ remote: { 'model/a': 'x', 'model/a/b.yml': 'y' } }));
      return verdict(
        entries.some(({ kind }) => kind === 'frozen'),
        'a name is a file and a folder at once',
      );
    },
  ),
  rule(
    'name-listed',
    'brings names that mean another file here',
    [
      [
        'sync/core/remote/listing.ts',
        "path === this.#folder ? 'folderName' : nameProblem(path, this.#rules);",
        "path === this.#folder ? 'folderName' : undefined;",
      ],
    ],
    () => {
      const { files } = readListing({ files: { 'model/../x.yml': { hash: 'a'.repeat(40) } } }, 'model');
      return verdict(files.size === 0, 'a name that leads out of the folder is offered');
    },
  ),
  rule(
    'scan-racy',
    'believes the time stamp of a file that was hashed within its step',
    [
      [
        'sync/disk/stat-table.ts',
        'return same && stat.mtimeNs + GRANULARITY_NS < hashedAt && stat.ctimeNs + GRANULARITY_NS < hashedAt;',
        'return same;',
      ],
      ['sync/disk/scan.ts', 'if (!isCoarse(stat)) return true;', 'return true;'],
    ],
    async () => {
      const desk = await agreed({}, { name: 'a disk that counts in two seconds', stepMs: 2000 });
      desk.write(A, 'b');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'upload', 'an edit of the same size in the same step is not seen');
    },
  ),
  rule(
    'scan-coarse',
    'believes stamps on a disk where two files may look the same',
    [['sync/disk/scan.ts', 'if (!isCoarse(stat)) return true;', 'return true;']],
    async () => {
      const desk = await agreed({}, diskKinds[2]);
      desk.disk.pass(60_000);
      await desk.sync.plan();
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/x`);
      desk.disk.rename(`${FOLDER}/${B}`, `${FOLDER}/${A}`);
      desk.disk.rename(`${FOLDER}/model/x`, `${FOLDER}/${B}`);
      return verdict((await desk.sync.plan()).entries.length > 0, 'two files that swapped their names are not seen');
    },
  ),
  rule(
    'scan-verify',
    'believes time stamps for ever',
    [
      [
        'sync/disk/scan.ts',
        'const job = isSetBack || table.verifiedAt + TRUST_MS < calls.now() ? { ...asked, verify: true } : asked;',
        'const job = asked;',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.disk.pass(60_000);
      await desk.sync.plan();
      desk.watch();
      // The simulated disk ages some years before the table of known files is written.
      desk.disk.pass(20 * 365 * DAY);
      await desk.sync.plan();
      return verdict(desk.seen.has(`open ${FOLDER}/${A}`), 'no file was read for more than a week');
    },
  ),
  rule(
    'scan-clock',
    'believes time stamps after the clock was set back',
    [['sync/disk/scan.ts', 'const isSetBack = table.forgetsFuture(calls.now());', 'const isSetBack = false;']],
    async () => {
      const desk = await agreed({}, { name: 'a disk that counts in two seconds', stepMs: 2000 });
      desk.write(A, 'b');
      desk.disk.pass(60_000);
      await push(desk.sync);
      desk.disk.pass(-60_000);
      desk.write(A, 'c');
      return verdict((await desk.sync.plan()).entries.length > 0, 'an edit under the old time stamp is not seen');
    },
  ),
  rule(
    'folder-known',
    'takes a folder that was mounted anew for another one',
    [
      [
        'sync/core/planning/guards.ts',
        'input.baseRoot === input.local.root || isSameContent(input)',
        'input.baseRoot === input.local.root',
      ],
    ],
    () => {
      const files = { 'model/a.yml': 'a', 'model/b.yml': 'b' };
      const { guards } = makePlan(planInput({ base: files, local: files, remote: files, baseRoot: '1', root: '2' }));
      return verdict(guards.length === 0, 'the same files under another number are another folder');
    },
  ),
  rule(
    'folder-number',
    'knows a folder by the device that it is mounted as',
    [['sync/disk/root.ts', 'String(stat.ino)', '`${stat.dev}:${stat.ino}`']],
    async () => {
      let mount = 1n;
      const calls = (each: DiskCalls): DiskCalls => ({
        ...each,
        lstat: (file) => {
          const stat = each.lstat(file);
          return stat && Object.assign(stat, { dev: mount });
        },
      });
      const desk = await agreed({ calls });
      mount = 2n;
      desk.write(A, 'x');
      desk.write(B, 'x');
      desk.write('model/sub/c.yml', 'x');
      return verdict(
        (await desk.sync.plan()).guards.every(({ kind }) => kind !== 'rootChanged'),
        'another mount is another folder',
      );
    },
  ),
  rule(
    'one-writer',
    'takes a lock that another window holds',
    [['sync/disk/lock-file.ts', 'return !isAlive || this.#isSilent(file, beat);', 'return true;']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.open()).catch(() => undefined);
      return verdict(desk.platform.files.get(A) === 'a', 'two windows write the folder');
    },
  ),
  rule(
    'one-program',
    'changes files while another program does',
    [
      [
        'sync/core/in-folder-turn.ts',
        'return turn ? turn.during(work, { mayWait: true }) : { value: await work() };',
        'return { value: await work() };',
      ],
    ],
    async () => {
      let isOthers = false;
      const turn: FolderTurn = { during: async (work) => (isOthers ? undefined : { value: await work() }) };
      const desk = await agreed({ ports: (ports) => ({ ...ports, turn }) });
      desk.write(A, 'mine');
      isOthers = true;
      const { status } = await push(desk.sync);
      return verdict(status === 'refused' && desk.platform.files.get(A) === 'a', 'two programs change files at once');
    },
  ),
  rule(
    'one-program-same',
    'takes the same version for another change',
    [['sync/core/transfer/pull.ts', 'result.now.hash === entry.hash', 'false']],
    async () => {
      const desk = await agreed();
      desk.platform.files.set(A, 'theirs');
      const plan = await desk.sync.plan();
      desk.write(A, 'theirs');
      const { status } = await desk.sync.pull(plan, 'all');
      return verdict(status === 'done', 'what another program has brought is reported as a change');
    },
  ),
  rule(
    'lock-silent',
    'waits for ever for a holder that is silent',
    [['sync/disk/lock-file.ts', 'return silence > STALE_MS;', 'return false;']],
    async () => {
      const disk = new SimulatedDisk({ name: 'a disk' });
      const calls = disk.calls((_call, _isWrite, effect) => effect());
      let elapsed = 0;
      const machine = { ...thisMachine, elapsed: () => elapsed, uptime: () => 100, bootId: () => 'boot' };
      const [first, second] = [1, 2].map(() => new LockFile(new Disk(calls), `${STORAGE}/lock`, machine));
      await first?.acquire();
      if (await second?.acquire()) return 'two windows hold the lock';
      let isTaken = false;
      for (let check = 0; check < 4 && !isTaken; check++) {
        elapsed += 60_000;
        isTaken = (await second?.acquire()) === true;
      }
      await first?.release();
      await second?.release();
      return verdict(isTaken, 'a holder that has been silent for long still has the lock');
    },
  ),
  rule(
    'lock-dead',
    'waits for a holder whose process has ended',
    [['sync/disk/process-mark.ts', 'if (!machine.isRunning(mark.pid)) return true;', '']],
    async () => {
      const disk = new SimulatedDisk({ name: 'a disk' });
      const calls = disk.calls((_call, _isWrite, effect) => effect());
      const running = new Set([1, 2]);
      const machine = { ...thisMachine, isRunning: (pid: number) => running.has(pid), startOf: () => undefined };
      const [killed, next] = [1, 2].map((pid) => new LockFile(new Disk(calls), `${STORAGE}/lock`, { ...machine, pid }));
      await killed?.acquire();
      running.delete(1);
      const isTaken = await next?.acquire();
      await Promise.all([killed?.release(), next?.release()]);
      return verdict(isTaken === true, 'a dead holder still has the lock');
    },
  ),
  rule(
    'lock-awaited',
    'stays a reader after the other window has ended',
    [['sync/core/create-folder-sync.ts', 'if (!session.writable) this.#lock.wait();', '']],
    async () => {
      const awaited = new ManualClock();
      let isWriter = true;
      const lock = { acquire: async () => isWriter, isHeld: async () => isWriter, release: async () => undefined };
      const { sync } = await agreed({
        ports: (ports) => {
          const sleep: Clock['sleep'] = (ms, signal) =>
            ms === 2000 ? awaited.sleep(ms, signal) : ports.clock.sleep(ms, signal);
          return { ...ports, lock, clock: { now: () => ports.clock.now(), sleep } };
        },
      });
      const isReader = (): boolean => sync.status.value.readOnly === 'otherWindow';
      isWriter = false;
      await sync.plan();
      await awaited.advance(6000);
      if (!isReader()) return 'two windows write the folder';
      isWriter = true;
      await awaited.advance(2000);
      for (let turn = 0; turn < 100 && isReader(); turn++) await settled();
      return verdict(!isReader(), 'it only reads although nobody writes');
    },
  ),
  rule(
    'lock-number',
    'gives the lock to a window that was overtaken while it took it',
    [['sync/disk/lock-file.ts', 'if (numbers.at(-1) !== number) {', 'if (numbers.length === 0) {']],
    async () => {
      const disk = new SimulatedDisk({ name: 'a disk' });
      const calls = disk.calls((_call, _isWrite, effect) => effect());
      const machine = (pid: number): LockMachine => ({ ...thisMachine, pid, isRunning: (other) => other !== 1 });
      const lockOf = (pid: number, own = calls): LockFile =>
        new LockFile(new Disk(own), `${STORAGE}/lock`, machine(pid));
      await lockOf(1).acquire();
      const other = lockOf(2);
      let isHeldByOther = false;
      // The first window is dead. While a third one takes its lock, a second one takes it, releases it and takes it again.
      const slow = lockOf(3, {
        ...calls,
        link: async (from, to) => {
          await other.acquire();
          await other.release();
          isHeldByOther = await other.acquire();
          await calls.link(from, to);
        },
      });
      const isTaken = await slow.acquire();
      await Promise.all([slow.release(), other.release()]);
      return verdict(!(isHeldByOther && isTaken), 'two windows hold the lock');
    },
  ),
];
