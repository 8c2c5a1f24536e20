import type { HostToView, PatchOp, ViewMessage, ViewThread, ViewTurn } from '#features/chat/messages.ts';

/** The thread as this view has it, and the last message it has applied. */
export interface ReplicaState {
  readonly epoch: number;
  readonly seq: number;
  readonly thread: ViewThread;
}

type Snapshot = Extract<HostToView, { readonly type: 'snapshot' }>;
type Patch = Extract<HostToView, { readonly type: 'patch' }>;

/** Applies a snapshot, unless it is older than what is shown. */
export function applySnapshot(state: ReplicaState | undefined, { epoch, seq, thread }: Snapshot): ReplicaState {
  if (state && epoch < state.epoch) return state;
  return { epoch, seq, thread };
}

/** Applies a patch; returns `undefined` if one was missed and a snapshot is needed. Late patches change nothing. */
export function applyPatch(state: ReplicaState, { epoch, seq, ops, title }: Patch): ReplicaState | undefined {
  if (epoch < state.epoch || (epoch === state.epoch && seq <= state.seq)) return state;
  if (epoch > state.epoch || seq !== state.seq + 1) return undefined;
  let { turns, queued } = state.thread;
  for (const op of ops) {
    if (op.op === 'queued') {
      queued = op.queued;
      continue;
    }
    const next = applyOp(turns, op);
    if (!next) return undefined;
    turns = next;
  }
  return { epoch, seq, thread: { ...state.thread, turns, queued, title: title ?? state.thread.title } };
}

function applyOp(turns: ViewTurn[], op: Exclude<PatchOp, { readonly op: 'queued' }>): ViewTurn[] | undefined {
  if (op.op === 'turn') {
    const at = turns.findIndex(({ head }) => head.id === op.head.id);
    const known = turns[at];
    return known ? turns.with(at, { ...known, head: op.head }) : [...turns, { head: op.head, messages: [] }];
  }
  const at = turns.findIndex(({ head }) => head.id === op.turn);
  const turn = turns[at];
  const messages = turn && changedMessages(turn.messages, op);
  return messages && turns.with(at, { ...turn, messages });
}

function changedMessages(
  messages: ViewMessage[],
  op: Exclude<PatchOp, { readonly op: 'turn' | 'queued' }>,
): ViewMessage[] | undefined {
  const id = op.op === 'message' ? op.message.id : op.id;
  const at = messages.findLastIndex((message) => message.id === id);
  const known = messages[at];
  if (op.op === 'message') return known ? messages.with(at, op.message) : [...messages, op.message];
  const field = op.op === 'append' ? 'text' : 'thinking';
  if (known?.[field].length !== op.at) return undefined;
  return messages.with(at, { ...known, [field]: known[field] + op.text });
}
