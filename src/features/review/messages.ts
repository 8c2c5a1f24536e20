import * as v from 'valibot';
import { count, list, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which owns a review, and the page that shows it. */

/** The effect on a file. `none`: no effect; the row gives the reason. */
export const rowKinds = ['add', 'change', 'rename', 'delete', 'conflict', 'none'] as const;
export type RowKind = (typeof rowKinds)[number];

const Row = v.object({
  /** Unique in its review; usually the path. */
  id: text,
  path: text,
  kind: v.picklist(rowKinds),
  /** The former path of a renamed file. */
  from: v.exactOptional(text),
  /** In bytes. */
  size: v.exactOptional(count),
  /** Whether the user decides about the file. */
  canTick: v.boolean(),
  /** A note to read before ticking it. */
  note: v.exactOptional(text),
});
/** One file of a review. */
export type ReviewRow = Readonly<v.InferOutput<typeof Row>>;

const Group = v.object({
  id: text,
  label: text,
  rows: list(Row),
  /** Whether its rows are initially hidden. */
  startsClosed: v.exactOptional(v.boolean()),
});
/** Files that belong together; their heading ticks all of them. */
export type ReviewGroup = Readonly<v.InferOutput<typeof Group>>;

const Link = v.object({ id: text, label: text });
/** A further action. */
export type ReviewLink = Readonly<v.InferOutput<typeof Link>>;

const severity = v.picklist(['info', 'warning', 'error']);

/** A problem that blocks the step, or a fact to know before it. */
const Warning = v.object({ id: text, severity, text, link: v.exactOptional(Link) });

const Section = v.object({
  id: text,
  /** `Build`, `Model`, `Impact`. */
  title: text,
  /** One line: `2 members added, 1 removed`. */
  summary: text,
  state: v.picklist(['loading', 'ok', 'warning', 'error', 'unknown']),
  lines: list(v.object({ severity, text })),
  link: v.exactOptional(Link),
});
/** A section on what a step means beyond its files. It may arrive later than the list. */
export type ReviewSection = Readonly<v.InferOutput<typeof Section>>;

/** A check box beside the primary button, with its initial state. */
const Option = v.object({ id: text, label: text, isOn: v.boolean() });

const stateEntries = {
  /** `Push to dev-ada-1`: the name of the tab and the heading. */
  title: text,
  /** The source and the destination of the files. */
  from: text,
  to: text,
  /** Whether users of the deployment get the result. */
  isProduction: v.boolean(),
  warnings: list(Warning),
  sections: list(Section),
  /** The field of a commit message, with its initial text. */
  message: v.exactOptional(v.object({ label: text, value: text, placeholder: text })),
  options: list(Option),
  /** The text that the user must type before the primary button can be used. */
  confirmation: v.exactOptional(v.object({ label: text, expected: text })),
  /** The primary button. `whyNot`: the reason why it cannot be used now; empty if it can. */
  action: v.object({ label: text, whyNot: text }),
  /** Further buttons. */
  links: list(Link),
  /** The text in place of an empty list. */
  empty: text,
  /** The text for what is running: `Comparing with dev-ada-1…`; empty if nothing is. */
  busy: text,
};

const State = v.object({
  type: v.literal('state'),
  ...stateEntries,
  /** Ids of the rows that are ticked. */
  ticked: list(text),
  /** Whether all differences can be opened in one editor. */
  opensAll: v.boolean(),
  /** Whether a row can be explained. */
  explains: v.boolean(),
});
/** A review without its rows. */
export type ReviewState = Readonly<v.InferOutput<typeof State>>;

const DiffLine = v.object({ kind: v.picklist(['same', 'added', 'removed', 'skipped']), text });
/** One line of a difference; `skipped` stands for unchanged lines. */
export type DiffLine = Readonly<v.InferOutput<typeof DiffLine>>;

const Detail = v.object({
  type: v.literal('detail'),
  id: text,
  state: v.picklist(['loading', 'ready', 'failed']),
  /** The text above the difference, or why there is none. */
  text,
  /** What the file changes in the model: `added measure orders.total`. */
  changes: list(text),
  lines: list(DiffLine),
  /** The number of lines that are not sent, because the difference is too long. */
  more: count,
});
/** The difference of one row. */
export type ReviewDetail = Readonly<v.InferOutput<typeof Detail>>;

const HostToReview = v.variant('type', [
  State,
  Detail,
  /** The rows; a new version whenever a row is added, removed or changed. */
  v.object({ type: v.literal('rows'), version: count, groups: list(Group) }),
  /** An event that screen readers announce. */
  v.object({ type: v.literal('notice'), text }),
]);
export type HostToReview = v.InferOutput<typeof HostToReview>;

const Input = v.object({
  message: text,
  /** Ids of the options that are set. */
  options: list(text),
  /** The text that the user typed to confirm. */
  typed: text,
});
/** The user's input on the page. */
export type ReviewInput = Readonly<v.InferOutput<typeof Input>>;

const ReviewToHost = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'openAll', 'close']) }),
  v.object({ type: v.literal('tick'), ids: list(text), isTicked: v.boolean() }),
  /** Asks for the difference of a row. */
  v.object({ type: v.picklist(['select', 'open', 'explain', 'ask', 'run']), id: text }),
  v.object({ type: v.literal('input'), input: Input }),
  /** The primary button; `version` is that of the rows that the user saw. */
  v.object({ type: v.literal('apply'), version: count, input: Input }),
]);
export type ReviewToHost = v.InferOutput<typeof ReviewToHost>;

const Described = v.object(stateEntries);

/** A review as its source describes it. */
export interface ReviewDocument extends Readonly<v.InferOutput<typeof Described>> {
  readonly groups: readonly ReviewGroup[];
  /** Ids of the rows that are ticked. */
  readonly ticked: ReadonlySet<string>;
}

/** Returns a message of the host; `undefined` if it is not valid. */
export function parseHostToReview(value: unknown): HostToReview | undefined {
  return parsed(HostToReview, value);
}

/** Returns a message of a review page; `undefined` if it is not valid. */
export function parseReviewToHost(value: unknown): ReviewToHost | undefined {
  return parsed(ReviewToHost, value);
}
