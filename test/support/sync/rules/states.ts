import type { GuardKind, PlanGuard } from '#sync/core/planning/plan.ts';
import { startingFacts } from '#sync/core/status/status.ts';
import type { SyncFacts } from '#sync/core/status/sync-facts.ts';
import { syncStates } from '#sync/core/status/sync-state.ts';
import { type Rule, rule, type Verdict, verdict } from './rule.ts';
import { A, B } from './rule-desk.ts';

const STATE = 'sync/core/status/sync-state.ts';

/** Checks which state is shown first for these facts. */
function shows(facts: Partial<SyncFacts>, expected: string): Verdict {
  const [first] = syncStates({ ...startingFacts, ...facts });
  return verdict(first.kind === expected, `shown as ${first.kind} instead of ${expected}`);
}

function guard(kind: GuardKind): PlanGuard {
  return { kind, blocks: 'both', confirmable: true, message: 'x' };
}

const plan = { target: 't', generation: 1, time: 0, entries: [], guards: [], unchanged: 1 };
const compared: Partial<SyncFacts> = { plan, isCurrent: true };
const unsent: Partial<SyncFacts> = {
  outbox: [{ path: A, reason: { kind: 'refused', message: 'x' } }],
  waiting: 1,
};
const upload = { kind: 'upload', path: A, reason: 'added', hash: 'x', size: 1, expectedRemote: undefined } as const;

export const stateRules: readonly Rule[] = [
  rule(
    'wait-queued',
    'shows a save that is on its way as one that waits',
    [[STATE, "outbox.find((save) => save.reason.kind !== 'queued')?.reason;", 'outbox[0]?.reason;']],
    () => shows({ ...compared, outbox: [{ path: A, reason: { kind: 'queued', message: '' } }], waiting: 1 }, 'busy'),
  ),
  rule(
    'state-halted',
    'hides that a guard waits',
    [[STATE, 'const guard = plan?.guards.find(({ kind }) => halts[kind]);', 'const guard = undefined;']],
    () => shows({ ...compared, plan: { ...plan, guards: [guard('rootChanged')] } }, 'halted'),
  ),
  rule(
    'state-read-only',
    'hides that another window writes',
    [[STATE, "return readOnly && { kind: 'readOnly', why: readOnly };", 'return undefined;']],
    () => shows({ ...compared, readOnly: 'otherWindow' }, 'readOnly'),
  ),
  rule(
    'state-paused',
    'hides a pause behind what waits',
    [[STATE, 'pausedState(facts), waitingState(facts)', 'waitingState(facts), pausedState(facts)']],
    () => shows({ ...compared, ...unsent, paused: ['byUser'] }, 'paused'),
  ),
  rule(
    'state-waiting',
    'hides what waits behind what runs',
    [[STATE, 'const reason = outage ?? outbox.find', 'const reason = outage ?? [].find']],
    () => shows({ ...compared, ...unsent, busy: 'checking' }, 'waiting'),
  ),
  rule(
    'state-failed',
    'hides that the last check failed',
    [[STATE, "if (error && !outage) return { kind: 'failed', error };", '']],
    () => shows({ ...compared, error: new Error('x') }, 'failed'),
  ),
  rule(
    'state-busy',
    'shows a result while it is being made',
    [[STATE, "if (busy) return { kind: 'busy', what: busy };", '']],
    () => shows({ ...compared, busy: 'checking' }, 'busy'),
  ),
  rule(
    'state-unknown',
    'calls in sync what was compared before the base changed',
    [[STATE, 'if (!plan || !isCurrent) return', 'if (!plan) return']],
    () => shows({ ...compared, isCurrent: false }, 'unknown'),
  ),
  rule(
    'state-changes',
    'calls in sync what differs',
    [[STATE, 'if (local + remote + open > 0)', 'if (remote + open > 0)']],
    () => shows({ ...compared, localChanges: [upload] }, 'changes'),
  ),
  rule(
    'state-frozen',
    'calls in sync what cannot be synced',
    [
      [
        STATE,
        "return frozen.length > 0 ? { kind: 'frozen', count: frozen.length } : { kind: 'inSync' };",
        "return { kind: 'inSync' };",
      ],
    ],
    () => shows({ ...compared, frozen: [{ kind: 'frozen', path: B, side: 'local', reason: 'symlink' }] }, 'frozen'),
  ),
  rule(
    'state-in-sync',
    'shows “in sync” while a save waits',
    [
      [STATE, 'const reason = outage ?? outbox.find', 'const reason = outage ?? [].find'],
      [STATE, "if (waiting > 0) return { kind: 'busy', what: 'pushing' };", ''],
    ],
    () => shows({ ...compared, ...unsent }, 'waiting'),
  ),
];
