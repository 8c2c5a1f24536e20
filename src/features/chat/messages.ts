import * as v from 'valibot';
import { count, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';
import { column, rows } from '#base/row-shapes.ts';
import { Branch, messageShape, turnShape } from '#chat-core/shared-shapes.ts';
import { contextKinds } from './context-kinds.ts';

/** The chat's own commands, re-exported for the page. */
export { TASK_NAMES, taskOf, type TaskName } from '#chat-core/tasks.ts';
/** Apart, so that pages do not load the schemas of the messages that only the host parses. */
export { parseViewToHost, type ViewToHost } from './view-messages.ts';
export { isRunningPhase, type TurnPhase } from '#chat-core/turn-phase.ts';

/**
 * Messages between the extension host, which owns the chat, and its views, which are replicas. A snapshot begins an epoch, and
 * patches with the same `epoch` and rising `seq` follow it; a view that misses one requests a snapshot. Both sides validate what
 * they receive.
 */

const optionalText = v.optional(text);

export type ViewBranch = v.InferOutput<typeof Branch>;

const Member = v.object({ name: text, title: text, kind: text, description: optionalText });
const Cube = v.object({ name: text, title: text, kind: text, members: v.array(Member) });
export type ViewCube = v.InferOutput<typeof Cube>;

/** The details of a tool call. Rows stay in the host: a view requests them page by page. */
const ToolDetail = v.variant('kind', [
  v.object({ kind: v.literal('meta'), query: text, cubes: v.array(Cube) }),
  v.object({
    kind: v.literal('sql'),
    title: text,
    description: text,
    sql: text,
    columns: v.array(column),
    rows: count,
    total: count,
    chart: v.boolean(),
    /** Whether the statement ran and the playground can show it. */
    query: v.boolean(),
  }),
  v.object({ kind: v.literal('other'), input: text, result: text }),
]);
export type ViewToolDetail = v.InferOutput<typeof ToolDetail>;

const Tool = v.object({
  name: text,
  state: v.picklist(['running', 'done', 'failed', 'cut']),
  /** One line for the folded card. */
  summary: text,
  error: optionalText,
  detail: ToolDetail,
});
export type ViewTool = v.InferOutput<typeof Tool>;

const Message = v.object({
  ...messageShape,
  tool: v.optional(Tool),
  /** Part of the answer itself, not a step on the way. */
  isFinal: v.boolean(),
});
export type ViewMessage = v.InferOutput<typeof Message>;

const TurnHead = v.object({
  ...turnShape,
  /** What the user wrote. */
  prompt: text,
  /** Names of the attachments. */
  attached: v.array(text),
  problem: v.optional(v.object({ kind: text, message: text })),
  quiet: v.boolean(),
  tokens: v.optional(count),
  /** The number of model files that the answer proposes. */
  proposes: v.optional(count),
});
/** A turn without its messages. */
export type ViewTurnHead = v.InferOutput<typeof TurnHead>;

const Turn = v.object({ head: TurnHead, messages: v.array(Message) });
export type ViewTurn = v.InferOutput<typeof Turn>;

const ThreadItem = v.object({
  key: text,
  title: text,
  updatedAt: v.number(),
  branch: optionalText,
  running: v.boolean(),
  /** Whether the thread belongs to another account or address: it can be read, not continued. */
  elsewhere: v.boolean(),
});
export type ViewThreadItem = v.InferOutput<typeof ThreadItem>;

/** Whose unsent texts a view shows: an account, or an empty text for none. `erased`: when accounts were erased, by id. */
const Owner = v.object({ account: text, erased: v.record(text, v.number()) });
export type ViewOwner = v.InferOutput<typeof Owner>;

/** The frame around the thread: the agent that the user talks to, or what is missing. */
const Header = v.object({
  target: v.optional(v.object({ label: text, agent: optionalText, branch: v.optional(Branch) })),
  missing: v.optional(v.object({ what: text, message: text })),
  owner: v.optional(Owner),
  examples: v.array(text),
  sendWith: v.picklist(['enter', 'ctrlEnter']),
  /** In pixels; 0 means the font size of the window. */
  fontSize: v.number(),
});
export type ViewHeader = v.InferOutput<typeof Header>;

/** A waiting question, identified by its `id`; a `held` one waits for the user. */
const Queued = v.object({ id: text, text, attached: v.array(text), held: v.boolean() });
export type ViewQueued = v.InferOutput<typeof Queued>;

const Thread = v.object({
  key: text,
  title: text,
  elsewhere: v.boolean(),
  turns: v.array(Turn),
  /** The number of earlier turns that are not in `turns`. */
  earlier: count,
  queued: v.array(Queued),
});
export type ViewThread = v.InferOutput<typeof Thread>;

/** An attachment; `sent` is how many of its `size` characters the agent gets. */
const Attachment = v.object({ id: text, label: text, detail: text, size: count, sent: count });
export type ViewAttachment = v.InferOutput<typeof Attachment>;

const mentionKinds = ['file', 'cube', 'view', 'member', 'problem', 'branch', 'query'] as const;
const Mention = v.object({ id: text, kind: v.picklist(mentionKinds), label: text, detail: text });
/** An item that `@` offers. */
export type ViewMention = v.InferOutput<typeof Mention>;
export type MentionKind = ViewMention['kind'];

const Context = v.object({
  kind: v.picklist(contextKinds),
  label: text,
  /** The content that is sent when it is on. */
  detail: text,
  /** Whether the setting sends it unless the user switches it off. */
  isOn: v.boolean(),
});
/** An item that the user has open and can attach to a question; at most one of each kind. */
export type ViewContext = v.InferOutput<typeof Context>;
export type ContextKind = ViewContext['kind'];

const Proposal = v.object({
  path: text,
  /** `draft`: can only be opened beside the file. `refused`: this file may not be written. */
  state: v.picklist(['open', 'accepted', 'partly', 'rejected', 'draft', 'refused']),
  isNew: v.boolean(),
  added: count,
  removed: count,
  canAccept: v.boolean(),
  canUndo: v.boolean(),
  /** Whether the change was shown in its current form: only then is it written. */
  isReviewed: v.boolean(),
  note: optionalText,
  /** The engine's verdict on the model with this change, if it was checked. */
  engine: v.optional(v.object({ state: v.picklist(['checking', 'accepted', 'refused', 'unknown']), text })),
});
/** A model file that an answer proposes, and its state. */
export type ViewProposal = v.InferOutput<typeof Proposal>;

/** The folder in which proposed files are accepted. `isFixed`: some were accepted there, so no other one can be chosen. */
const ProposalFolder = v.object({ name: text, isFixed: v.boolean() });
export type ProposalFolder = v.InferOutput<typeof ProposalFolder>;

const Op = v.variant('op', [
  v.object({ op: v.literal('turn'), head: TurnHead }),
  v.object({ op: v.literal('queued'), queued: v.array(Queued) }),
  v.object({ op: v.literal('message'), turn: text, message: Message }),
  /** Appended text; `at` is the previous length, so that the view notices a lost message. */
  v.object({ op: v.literal('append'), turn: text, id: text, at: count, text }),
  v.object({ op: v.literal('appendThinking'), turn: text, id: text, at: count, text }),
]);
export type PatchOp = v.InferOutput<typeof Op>;

const HostToView = v.variant('type', [
  v.object({
    type: v.literal('snapshot'),
    epoch: count,
    seq: count,
    thread: Thread,
    threads: v.array(ThreadItem),
    header: Header,
    attachments: v.array(Attachment),
  }),
  v.object({ type: v.literal('patch'), epoch: count, seq: count, ops: v.array(Op), title: optionalText }),
  v.object({ type: v.literal('threads'), threads: v.array(ThreadItem) }),
  v.object({
    type: v.literal('foundThreads'),
    version: count,
    found: v.array(v.object({ key: text, excerpt: text })),
  }),
  v.object({ type: v.literal('header'), header: Header }),
  v.object({ type: v.literal('attachments'), attachments: v.array(Attachment) }),
  v.object({ type: v.literal('context'), context: v.array(Context) }),
  /** `version` is that of the request: the view ignores a response to an earlier one. */
  v.object({ type: v.literal('mentions'), version: count, mentions: v.array(Mention) }),
  v.object({
    type: v.literal('rows'),
    turn: text,
    id: text,
    /** The version of the request; a different one means that the view has changed the arrangement since. */
    version: count,
    /** The number of rows that pass the filter. */
    count,
    offset: count,
    rows,
  }),
  v.object({
    type: v.literal('chart'),
    turn: text,
    id: text,
    spec: text,
    rows: v.array(v.record(text, v.unknown())),
    /** Why the chart must not be drawn: an earlier attempt took too long. */
    failure: optionalText,
  }),
  /** A question that was not sent; the user decides what to do with it, and the draft comes back. */
  v.object({
    type: v.literal('refused'),
    prompt: text,
    reason: v.picklist(['missing', 'running', 'elsewhere', 'branchChanged', 'empty', 'notFollowed', 'context']),
    message: text,
  }),
  v.object({ type: v.literal('proposals'), turn: text, files: v.array(Proposal), folder: v.optional(ProposalFolder) }),
  v.object({ type: v.literal('compose'), text, replace: v.boolean() }),
  v.object({ type: v.literal('focus') }),
]);
export type HostToView = v.InferOutput<typeof HostToView>;

/** Parses a message of the host; returns `undefined` if it is invalid. */
export function parseHostToView(value: unknown): HostToView | undefined {
  return parsed(HostToView, value);
}
