import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which owns a review, and the page that shows it. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const list = <S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.readonly());

/** What happens to a file. `none`: nothing; the row says why. */
export const rowKinds = ['add', 'change', 'rename', 'delete', 'conflict', 'none'] as const;
export type RowKind = (typeof rowKinds)[number];

const Row = v.object({
  /** Unique in its review; the path where nothing speaks against it. */
  id: text,
  path: text,
  kind: v.picklist(rowKinds),
  /** The former path of a renamed file. */
  from: v.exactOptional(text),
  /** In bytes. */
  size: v.exactOptional(count),
  /** Whether the user decides about it. */
  canTick: v.boolean(),
  /** What a user should know before it is ticked. */
  note: v.exactOptional(text),
});
/** One file of a review. */
export type ReviewRow = Readonly<v.InferOutput<typeof Row>>;

const Group = v.object({
  id: text,
  label: text,
  rows: list(Row),
  /** Whether its rows are hidden until the user asks for them. */
  startsClosed: v.exactOptional(v.boolean()),
});
/** Files that belong together; their heading ticks all of them. */
export type ReviewGroup = Readonly<v.InferOutput<typeof Group>>;

const Link = v.object({ id: text, label: text });
/** A further thing that a user can do. */
export type ReviewLink = Readonly<v.InferOutput<typeof Link>>;

const severity = v.picklist(['info', 'warning', 'error']);

/** What holds the step up, or must be known before it. */
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
/** What a step means beyond its files. It may come later than the list. */
export type ReviewSection = Readonly<v.InferOutput<typeof Section>>;

/** A check box beside the primary button, and how it is set at first. */
const Option = v.object({ id: text, label: text, isOn: v.boolean() });

const stateEntries = {
  /** `Push to dev-ada-1`: the name of the tab and the heading. */
  title: text,
  /** Where the files come from, and where they go. */
  from: text,
  to: text,
  /** Whether users of the deployment get the result. */
  isProduction: v.boolean(),
  warnings: list(Warning),
  sections: list(Section),
  /** The field of a commit message, with what it holds at first. */
  message: v.exactOptional(v.object({ label: text, value: text, placeholder: text })),
  options: list(Option),
  /** What must be typed before the primary button can be used. */
  confirmation: v.exactOptional(v.object({ label: text, expected: text })),
  /** The primary button. `whyNot`: why it cannot be used now; empty where it can. */
  action: v.object({ label: text, whyNot: text }),
  /** Further buttons. */
  links: list(Link),
  /** Said in place of an empty list. */
  empty: text,
  /** What runs now: `Comparing with dev-ada-1…`; empty where nothing does. */
  busy: text,
};

const State = v.object({
  type: v.literal('state'),
  ...stateEntries,
  /** Ids of the rows that are ticked. */
  ticked: list(text),
  /** Whether all differences can be opened together. */
  opensAll: v.boolean(),
  /** Whether a row can be explained. */
  explains: v.boolean(),
});
/** A review without its rows. */
export type ReviewState = Readonly<v.InferOutput<typeof State>>;

const DiffLine = v.object({ kind: v.picklist(['same', 'added', 'removed', 'skipped']), text });
/** One line of a difference; `skipped` stands for the lines that are the same. */
export type DiffLine = Readonly<v.InferOutput<typeof DiffLine>>;

const Detail = v.object({
  type: v.literal('detail'),
  id: text,
  state: v.picklist(['loading', 'ready', 'failed']),
  /** Said above the difference, or why there is none. */
  text,
  /** What the file changes of the model: `added measure orders.total`. */
  changes: list(text),
  lines: list(DiffLine),
  /** Lines that are not sent, because the difference is too long. */
  more: count,
});
/** The difference of one row. */
export type ReviewDetail = Readonly<v.InferOutput<typeof Detail>>;

const HostToReview = v.variant('type', [
  State,
  Detail,
  /** The rows; a new version whenever another row is there or says something else. */
  v.object({ type: v.literal('rows'), version: count, groups: list(Group) }),
  /** Something that just happened, for all to hear. */
  v.object({ type: v.literal('notice'), text }),
]);
export type HostToReview = v.InferOutput<typeof HostToReview>;

const Input = v.object({
  message: text,
  /** Ids of the options that are set. */
  options: list(text),
  /** What was typed to confirm. */
  typed: text,
});
/** What the user typed and set on the page. */
export type ReviewInput = Readonly<v.InferOutput<typeof Input>>;

const ReviewToHost = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'openAll', 'close']) }),
  v.object({ type: v.literal('tick'), ids: list(text), isTicked: v.boolean() }),
  /** Asks for the difference of a row. */
  v.object({ type: v.picklist(['select', 'open', 'explain', 'ask', 'run']), id: text }),
  v.object({ type: v.literal('input'), input: Input }),
  /** The primary button; `version` of the rows that the user saw. */
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

/** A message of the host, or `undefined` when it is none. */
export function parseHostToReview(value: unknown): HostToReview | undefined {
  return parsed(HostToReview, value);
}

/** A message of a review page, or `undefined` when it is none. */
export function parseReviewToHost(value: unknown): ReviewToHost | undefined {
  return parsed(ReviewToHost, value);
}
