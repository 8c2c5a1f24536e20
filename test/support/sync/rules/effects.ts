import { confirmAttempts } from '#sync/core/record/confirm-attempts.ts';
import type { FaultDesk } from '../fault-desk.ts';
import { FOLDER } from '../simulated-ports.ts';
import { type Rule, rule, verdict } from './rule.ts';
import { A, agreed, B, honoured, inConflict, push, trashHolds } from './rule-desk.ts';

const CONFIRM = 'sync/core/transfer/carry-out.ts';
const EFFECTS = 'sync/core/transfer/effects.ts';
const ATTEMPTS = 'sync/core/record/confirm-attempts.ts';

/** Pushes an edit and loses the reply, on a connection that is down until the user continues. */
async function lostPush(desk: FaultDesk, text: string): Promise<void> {
  desk.write(A, text);
  const plan = await desk.sync.plan();
  desk.platform.losesReplies = true;
  await desk.sync.push(plan, 'all');
  desk.platform.losesReplies = false;
  desk.platform.isAway = false;
}

export const effectRules: readonly Rule[] = [
  rule(
    'effect-once',
    'has the client send a write again when its reply was lost',
    [
      [
        'sync/core/remote/platform-remote.ts',
        'return this.#client.open(writeDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });',
        'return this.#client.open(writeDataModelFiles, { params: this.#params, body }, { signal, headers });',
      ],
    ],
    async () => {
      const desk = await agreed({ attempts: 3 });
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.writes.length = 0;
      desk.platform.losesReplies = true;
      desk.platform.staysReachable = true;
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.writes.length === 1, `sent ${desk.platform.writes.length} times`);
    },
  ),
  rule(
    'effect-trash',
    'replaces a version on the platform that it has not copied',
    [
      [
        'sync/core/transfer/keep-replaced.ts',
        'run.trashed.push(await context.ports.trash.put(path, bytes, { cause, deleted }));',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      await inConflict(desk);
      await desk.sync.resolve(A, 'mine');
      const isSent = desk.platform.files.get(A) === 'mine';
      return verdict(isSent && (await trashHolds(desk.sync, 'theirs')), 'the replaced version is nowhere');
    },
  ),
  rule(
    'effect-held',
    'sends what replaces a version that could not be copied',
    [['sync/core/transfer/keep-replaced.ts', 'held.add(one.effect);', '']],
    async () => {
      const desk = await agreed({
        ports: (ports) => {
          const { trash } = ports;
          const put = (): Promise<string> => Promise.reject(new Error('The trash is full.'));
          return { ...ports, trash: { put, list: () => trash.list(), read: (id) => trash.read(id) } };
        },
      });
      await inConflict(desk);
      await desk.sync.resolve(A, 'mine');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a version was replaced without a copy');
    },
  ),
  rule(
    'effect-flush',
    'sends what a power loss may still take from this disk',
    [[CONFIRM, 'const unkept = await keepForGood(ports.files, paths);', 'const unkept = new Map<string, Error>();']],
    async () => {
      const desk = await agreed();
      desk.disk.writeBack();
      desk.write(A, 'mine');
      await push(desk.sync);
      await desk.sync.close();
      desk.disk.losePower(() => false);
      return verdict(desk.files()[A] === 'mine', 'the platform has a version that this disk has lost');
    },
  ),
  rule(
    'effect-journal',
    'sends before it has noted what it is about to do',
    [[CONFIRM, 'await context.state.intend(kept.flatMap((effect) => intents(effect, time)));', '']],
    async () => {
      const desk = await agreed();
      await lostPush(desk, 'one');
      desk.write(A, 'two');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'upload', `an edit after a lost reply is a ${entry?.kind} with oneself`);
    },
  ),
  rule(
    'effect-condition',
    'puts no condition on a deletion',
    [
      [
        'sync/core/remote/platform-remote.ts',
        'return this.#client.open(deleteDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });',
        'return this.#client.open(deleteDataModelFiles, { params: this.#params, body }, { signal, once: true });',
      ],
    ],
    async () => {
      const desk = await honoured(B);
      desk.disk.remove(`${FOLDER}/${A}`);
      const plan = await desk.sync.plan();
      desk.platform.beforeWrite = () => desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a colleague’s edit was deleted');
    },
  ),
  rule(
    'effect-condition-rename',
    'puts no condition on a rename',
    [
      [
        'sync/core/remote/platform-remote.ts',
        'return this.#client.open(renameDataModelFiles, { params: this.#params, body }, { signal, headers, once: true });',
        'return this.#client.open(renameDataModelFiles, { params: this.#params, body }, { signal, once: true });',
      ],
    ],
    async () => {
      const desk = await honoured(B);
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/new.yml`);
      const plan = await desk.sync.plan();
      desk.platform.beforeWrite = () => desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a colleague’s edit was renamed away');
    },
  ),
  rule(
    'effect-target',
    'sends a file to a dev branch that production is built from by now',
    [['sync/core/remote/platform-remote.ts', 'await this.#guards.requireTarget(signal, why);', '']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await desk.sync.close();
      desk.platform.branches = [{ name: 'dev-a', parentBranch: null }];
      await push(desk.open());
      return verdict(desk.platform.files.get(A) === 'a', 'a file went to production');
    },
  ),
  rule(
    'effect-observe',
    'calls a push failed whose reply was lost',
    [[EFFECTS, "if (effect.facets.every((facet) => files.get(facet.path)?.hash === facet.after)) return 'done';", '']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.losesReplies = true;
      desk.platform.staysReachable = true;
      const { status } = await desk.sync.push(plan, 'all');
      return verdict(status === 'done', `a push that arrived is called ${status}`);
    },
  ),
  rule(
    'effect-overtaken',
    'sends again over what someone else wrote meanwhile',
    [
      [EFFECTS, "return 'changed';\n}", "return 'pristine';\n}"],
      [
        'sync/core/remote/remote-write.ts',
        "return { 'If-Match': expected.map((hash) => `\"${hash ?? '-'}\"`).join(', ') };",
        'return {};',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.failsOnce = () => desk.platform.files.set(A, 'theirs');
      await desk.sync.push(plan, 'all');
      return verdict(desk.platform.files.get(A) === 'theirs', 'a second attempt went over a colleague’s version');
    },
  ),
  rule(
    'effect-refusal',
    'hides the platform’s own words',
    [
      [
        EFFECTS,
        'return outcomes(outcome.pending, outcome.error ?? new Error(UNEXPLAINED));',
        'return outcomes(outcome.pending, new Error(UNEXPLAINED));',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.refusesWrites = true;
      const { message } = await desk.sync.push(plan, 'all');
      return verdict(message.includes('The moon is not right.'), `only says “${message}”`);
    },
  ),
  rule(
    'effect-refused-once',
    'sends again and again what the platform has refused',
    [[EFFECTS, "if (next.kind === 'listLast') break;", '']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.refusesWrites = true;
      await desk.sync.push(plan, 'all');
      const { length } = desk.platform.writes;
      return verdict(length === 1, `a refused write was sent ${length} times`);
    },
  ),
  rule(
    'effect-base',
    'does not note what the platform has taken',
    [
      [
        CONFIRM,
        'await context.state.commit(done.flatMap(({ entry, facets }) => facets.map((facet) => agreement(entry, facet))));',
        '',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      await push(desk.sync);
      desk.platform.files.set(A, 'theirs');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'download', `a colleague’s edit after a push is a ${entry?.kind}`);
    },
  ),
  rule(
    'effect-proven',
    'believes a confirmation without effect',
    [
      [
        CONFIRM,
        'const { proven, missing } = await proveEffects(effects, { ...context.ports, signal: run.signal });',
        'const { proven, missing } = { proven: effects, missing: [] };',
      ],
    ],
    async () => {
      const desk = await agreed();
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.ignoresWrites = true;
      const { status } = await desk.sync.push(plan, 'all');
      desk.platform.ignoresWrites = false;
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(
        status === 'partial' && entry?.kind === 'upload',
        `the push is ${status}, the edit a ${entry?.kind}`,
      );
    },
  ),
  rule(
    'effect-late',
    'takes a list that is late for a change that did not happen',
    [
      [
        'sync/core/transfer/proven-effects.ts',
        'const LATE_PAUSES = [250, 500, 1000, 1500, 1500] as const;',
        'const LATE_PAUSES = [];',
      ],
    ],
    async () => {
      const desk = await agreed({ honours: false });
      desk.write(A, 'mine');
      const plan = await desk.sync.plan();
      desk.platform.listsLate = 3;
      const { status } = await desk.sync.push(plan, 'all');
      return verdict(status === 'done', `a push that arrived is called ${status}`);
    },
  ),
  rule(
    'attempt-confirmed',
    'takes its own lost version for a colleague’s',
    [[ATTEMPTS, 'if (done && done.hash !== state.entries.get(path)?.hash) {', 'if (false) {']],
    async () => {
      const desk = await agreed();
      await lostPush(desk, 'one');
      desk.write(A, 'two');
      const [entry] = (await desk.sync.plan()).entries;
      return verdict(entry?.kind === 'upload', `an edit after a lost reply is a ${entry?.kind}`);
    },
  ),
  rule(
    'attempt-kept',
    'forgets at a restart what it attempted',
    [['sync/core/record/sync-record.ts', 'if (side) attempts.add(path, { side, hash, size, time });', '']],
    async () => {
      const desk = await agreed();
      desk.write(A, 'one');
      const plan = await desk.sync.plan();
      desk.platform.losesReplies = true;
      await desk.sync.push(plan, 'all');
      await desk.sync.close();
      desk.platform.losesReplies = false;
      desk.platform.isAway = false;
      desk.write(A, 'two');
      const [entry] = (await desk.open().plan()).entries;
      return verdict(entry?.kind === 'upload', `an edit after a lost reply and a restart is a ${entry?.kind}`);
    },
  ),
  rule(
    'attempt-unlisted',
    'takes for deleted what an incomplete list leaves out',
    [
      [ATTEMPTS, '(!complete || frozen.size > 0) ? undefined', 'false ? undefined'],
      [ATTEMPTS, '(!complete || frozen.has(path) || others.has(path)) ? undefined', 'false ? undefined'],
    ],
    async () => {
      for (const side of ['here', 'there'] as const) {
        let agreements = 0;
        const attempt = { side, hash: undefined, size: 0, time: 0 };
        const state = {
          attempts: new Map([[A, [attempt]]]),
          entries: new Map([[A, { path: A, hash: 'old', size: 1 }]]),
          root: 'r',
          keepAttempts: () => undefined,
          commit: async (found: readonly unknown[]) => void (agreements += found.length),
        };
        const ports = { clock: { now: () => 1000 }, files: { sync: async () => undefined } };
        const context = { state, ports } as unknown as Parameters<typeof confirmAttempts>[0];
        const listing = { files: new Map(), frozen: new Map(), others: new Map(), complete: false, root: 'r' };
        await confirmAttempts(context, listing, listing);
        if (agreements > 0) return `a deletion ${side} counts as done that an incomplete list suggests`;
      }
      return undefined;
    },
  ),
  rule(
    'attempt-late',
    'forgets an attempt as soon as it has not arrived',
    [[ATTEMPTS, 'Math.abs(now - time) < LATE_MS', 'false']],
    async () => {
      const attempt = { side: 'there', hash: 'new', size: 1, time: 0 } as const;
      let kept = 1;
      const state = {
        attempts: new Map([[A, [attempt]]]),
        entries: new Map([[A, { path: A, hash: 'old', size: 1 }]]),
        root: 'r',
        keepAttempts: (_: string, left: readonly unknown[]) => void (kept = left.length),
        commit: async () => undefined,
      };
      const context = { state, ports: { clock: { now: () => 1000 } } } as unknown as Parameters<
        typeof confirmAttempts
      >[0];
      const files = new Map([[A, { path: A, hash: 'old', size: 1 }]]);
      const listing = { files, frozen: new Map(), others: new Map(), complete: true, root: 'r' };
      await confirmAttempts(context, listing, listing);
      return verdict(kept === 1, 'a request that is still on its way is forgotten');
    },
  ),
];
