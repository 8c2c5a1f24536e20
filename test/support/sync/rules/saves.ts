import { PlatformError } from '#api/errors.ts';
import { SaveQueue } from '#sync/core/saves/save-queue.ts';
import { settled } from '../../manual-clock.ts';
import { Outbox, waitReasonOf } from '#sync/core/record/outbox.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import type { FaultDesk, FaultDeskOptions } from '../fault-desk.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, type Verdict, verdict } from './rule.ts';
import { A, agreed, B } from './rule-desk.ts';

const SENDER = 'sync/core/saves/save-sender.ts';
const SAVES = 'sync/core/saves/save-sync.ts';
const OUTBOX = 'sync/core/record/outbox.ts';

async function save(desk: FaultDesk, text: string, file = A, sync = desk.sync): Promise<void> {
  desk.write(file, text);
  sync.onSaved([file]);
  await sync.flush();
}

/** Kills the process after everything that it had begun; the next start continues from what it left. */
async function nextStart(desk: FaultDesk): Promise<FolderSync> {
  for (let round = 0; round < 3; round++) await desk.sync.plan();
  const next = desk.open();
  await next.plan();
  await next.flush();
  return next;
}

/** A killed process holds no lock. */
const killable: FaultDeskOptions = {
  ports: (ports) => ({
    ...ports,
    lock: { acquire: async () => true, isHeld: async () => true, release: async () => undefined },
  }),
};

async function holdsWhile(reason: Parameters<FolderSync['pause']>[0]): Promise<Verdict> {
  const desk = await agreed();
  desk.sync.pause(reason);
  await save(desk, 'mine');
  if (desk.platform.files.get(A) !== 'a') return `a save was sent during the pause ${reason}`;
  desk.sync.resume(reason);
  await desk.sync.flush();
  return verdict(desk.platform.files.get(A) === 'mine', 'what was saved during a pause is not sent after it');
}

/** Checks the reason for which a save waits after this error of the platform. */
function waitsAs(kind: PlatformError['kind'], expected: string): Verdict {
  const error = new PlatformError({ kind, operation: 'x', message: 'x', retryable: false });
  const reason = waitReasonOf(error).kind;
  return verdict(reason === expected, `waits as ${reason} instead of ${expected}`);
}

export const saveRules: readonly Rule[] = [
  rule(
    'save-order',
    'sends two batches of saves at once',
    [
      [
        'sync/core/saves/save-queue.ts',
        'if (this.#running || this.#held || this.#closed',
        'if (this.#held || this.#closed',
      ],
    ],
    async () => {
      let [running, most] = [0, 0];
      const queue = new SaveQueue({ now: () => 0, sleep: async () => undefined }, async () => {
        most = Math.max(most, (running += 1));
        await settled();
        running -= 1;
      });
      for (const file of [A, B]) {
        queue.add([file]);
        await settled();
      }
      await queue.flush();
      return verdict(most === 1, 'two batches of saves were under way at once');
    },
  ),
  rule(
    'save-quick-many',
    'sends a checkout of many files without a comparison',
    [[SAVES, 'if (paths.size > QUICK_MAX || state.entries.size === 0', 'if (state.entries.size === 0']],
    async () => {
      const desk = await agreed();
      for (let number = 0; number < 30; number++) desk.platform.files.set(`model/many/${number}.yml`, 'x');
      await desk.sync.pull(await desk.sync.plan(), 'all', { confirmed: ['allChangedRemotely'] });
      await desk.sync.plan();
      const files = Object.keys(desk.files()).filter((file) => file.endsWith('.yml'));
      for (const file of files) desk.write(file, 'other');
      desk.sync.onSaved(files);
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'a branch whose every file differs was sent after a checkout');
    },
  ),
  rule(
    'save-new-name',
    'sends a new file without a comparison',
    [
      [
        SAVES,
        'if (!base) return undefined;',
        "if (!base) return { kind: 'upload', path, reason: 'added', hash: local.hash, size: local.size, expectedRemote: undefined };",
      ],
      [
        'sync/core/transfer/push.ts',
        'if (context.writer.transactionOnly || !effects.some(adds)) return effects;',
        'return effects;',
      ],
    ],
    async () => {
      const desk = await agreed(undefined, { name: 'a disk that ignores case', ...{ ignoresCase: true } });
      desk.platform.files.set('model/NEW.yml', 'theirs');
      await save(desk, 'mine', 'model/new.yml');
      return verdict(!desk.platform.files.has('model/new.yml'), 'the branch has two names that differ in case only');
    },
  ),
  rule(
    'save-no-deletion',
    'deletes on the platform after a save',
    [[SAVES, "return kind === 'upload' || kind === 'renameRemote';", 'return kind !== undefined;']],
    async () => {
      const desk = await agreed();
      desk.disk.remove(`${FOLDER}/${A}`);
      desk.sync.onSaved([A]);
      await desk.sync.flush();
      return verdict(desk.platform.files.has(A), 'a deletion went with a save');
    },
  ),
  rule(
    'save-paused',
    'sends saves while they are held',
    [
      [
        'sync/core/saves/save-queue.ts',
        'if (this.#running || this.#held || this.#closed',
        'if (this.#running || this.#closed',
      ],
      ['sync/core/saves/save-queue.ts', 'if (this.#held || this.#closed) return;', 'if (this.#closed) return;'],
    ],
    async () => {
      for (const reason of ['byUser', 'gitCheckout', 'ownPull', 'gitProvider'] as const) {
        const wrong = await holdsWhile(reason);
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  ),
  rule(
    'save-signed-out',
    'goes on sending with a key that was refused',
    [['sync/core/status/monitor.ts', "if (isPlatformError(error, 'auth')) this.pause('signedOut');", '']],
    async () => {
      const desk = await agreed();
      desk.platform.refusesKey = true;
      await save(desk, 'one');
      const requests = desk.platform.requests;
      await save(desk, 'two');
      return verdict(desk.platform.requests === requests, 'a refused key was used again without a check');
    },
  ),
  rule(
    'outbox-kept',
    'forgets at the next start what waited',
    [[SENDER, 'if (!host.ended.aborted) this.#write().catch(() => undefined);', '']],
    async () => {
      const desk = await agreed(killable);
      desk.sync.pause('byUser');
      await save(desk, 'mine');
      await nextStart(desk);
      return verdict(desk.platform.files.get(A) === 'mine', 'a save that waited was not sent after a crash');
    },
  ),
  rule(
    'outbox-durable',
    'writes its list of waiting files where a power loss takes it',
    [
      [
        'sync/disk/outbox-file.ts',
        'await this.#disk.replaceDurably(this.#file, Buffer.from(JSON.stringify(saves)));',
        'await (await this.#disk.calls.open(this.#file, 0o102, 0o600)).appendFile(JSON.stringify(saves));',
      ],
    ],
    async () => {
      const desk = await agreed(killable);
      desk.disk.writeBack();
      desk.sync.pause('byUser');
      await save(desk, 'mine');
      for (let round = 0; round < 3; round++) await desk.sync.plan();
      // The editor has saved its file to the disk; everything else that was not flushed is lost.
      desk.disk.losePower(() => false);
      desk.write(A, 'mine');
      const next = desk.open();
      await next.plan();
      await next.flush();
      return verdict(desk.platform.files.get(A) === 'mine', 'a save that waited was not sent after a power loss');
    },
  ),
  rule(
    'outbox-closing',
    'forgets what waits when the window is closed',
    [
      [
        SENDER,
        'if (this.#outbox.items.length > 0) await this.#host.open().catch(() => undefined);\n    await this.#write();',
        '',
      ],
      [SENDER, 'if (!host.ended.aborted) this.#write().catch(() => undefined);', ''],
    ],
    async () => {
      const desk = await agreed();
      desk.sync.pause('byUser');
      await save(desk, 'mine');
      await desk.sync.close();
      const next = desk.open();
      await next.plan();
      await next.flush();
      return verdict(desk.platform.files.get(A) === 'mine', 'a save that waited was not sent after the next start');
    },
  ),
  rule(
    'outbox-observes',
    'sends at the next start whatever the file is by then',
    [[OUTBOX, '(await hashOf(path)) !== hash', '(await hashOf(path)) === null']],
    async () => {
      const desk = await agreed(killable);
      desk.sync.pause('byUser');
      await save(desk, 'mine');
      for (let round = 0; round < 3; round++) await desk.sync.plan();
      desk.write(A, 'something else');
      const next = desk.open();
      await next.plan();
      await next.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'a version that nobody saved in the editor was sent');
    },
  ),
  rule(
    'outbox-newer',
    'settles a newer save with an older one',
    [
      [
        OUTBOX,
        'if ((this.#items.get(path)?.turn ?? Infinity) <= turn) this.#items.delete(path);',
        'this.#items.delete(path);',
      ],
    ],
    () => {
      const outbox = new Outbox(() => undefined);
      outbox.add([A]);
      const { turn } = outbox;
      outbox.add([A]);
      outbox.release([A], turn);
      return verdict(outbox.items.length === 1, 'a save that was made meanwhile is forgotten');
    },
  ),
  rule(
    'outbox-decides',
    'sends what waited over what the platform has by now',
    [
      [
        'sync/core/remote/remote-write.ts',
        "return { 'If-Match': expected.map((hash) => `\"${hash ?? '-'}\"`).join(', ') };",
        'return {};',
      ],
    ],
    async () => {
      const desk = await agreed();
      await save(desk, 'first');
      desk.sync.pause('byUser');
      await save(desk, 'mine');
      desk.platform.files.set(A, 'theirs');
      desk.sync.resume('byUser');
      await desk.sync.flush();
      return verdict(
        desk.platform.files.get(A) === 'theirs',
        'a colleague’s version was overwritten by a waiting save',
      );
    },
  ),
  rule(
    'wait-unavailable',
    'never tries again what the platform could not do',
    [[OUTBOX, "server: 'unavailable',", "server: 'refused',"]],
    async () => {
      const desk = await agreed();
      desk.platform.isAway = true;
      await save(desk, 'mine');
      desk.platform.isAway = false;
      await desk.sync.plan();
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'mine', 'a save is not sent when the platform works again');
    },
  ),
  rule(
    'wait-retry-after',
    'tries again before the time that the platform asked for',
    [
      [
        'sync/core/status/monitor.ts',
        'if (asked > this.askedPause) this.#pause = { length: asked, since: new Stopwatch(this.#options.clock) };',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.asksForPause = 3600;
      await save(desk, 'mine');
      desk.platform.asksForPause = undefined;
      await desk.sync.plan();
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'a save was sent within the pause that was asked for');
    },
  ),
  rule(
    'wait-signed-out',
    'takes a refused key for a refused file',
    [[OUTBOX, "auth: 'signedOut',", "auth: 'refused',"]],
    () => waitsAs('auth', 'signedOut'),
  ),
  rule(
    'wait-guard',
    'drops a save that a guard holds',
    [
      [
        SENDER,
        "this.#outbox.hold(paths, { kind: 'guard', message: guard.message });",
        'this.#outbox.settle(paths, turn);',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.platform.files.clear();
      await desk.sync.plan();
      await save(desk, 'mine');
      return verdict(desk.sync.status.value.outbox[0]?.reason.kind === 'guard', 'a save behind a guard is not shown');
    },
  ),
  rule(
    'wait-refused',
    'sends a refused save again and again',
    [[OUTBOX, "invalidRequest: 'refused',", "invalidRequest: 'failed',"]],
    async () => {
      const desk = await agreed();
      desk.platform.refusesWrites = true;
      await save(desk, 'mine');
      desk.platform.refusesWrites = false;
      await desk.sync.plan();
      await desk.sync.flush();
      return verdict(desk.platform.files.get(A) === 'a', 'what the platform had refused was sent without the user');
    },
  ),
];
