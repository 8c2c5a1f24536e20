import * as v from 'valibot';
import { count, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';
import { rowFilter, rowOrder } from '#base/row-shapes.ts';
import { rowFormats } from '#base/row-text.ts';
import { contextKinds } from './context-kinds.ts';

/** The order and the filter with which a view shows a result; the host applies them to all rows it holds. */
const arrangement = {
  order: v.optional(rowOrder),
  filter: v.optional(rowFilter),
};

const ViewToHost = v.variant('type', [
  /** The view listens; `thread` is the one it showed before a reload. */
  v.object({ type: v.literal('ready'), thread: v.optional(text) }),
  /** The view missed a message and needs a snapshot. */
  v.object({ type: v.literal('resync'), reason: text }),
  v.object({
    type: v.literal('send'),
    prompt: text,
    branch: v.picklist(['ask', 'switch', 'newThread']),
    /** The kinds of context to attach: those that the view shows as on. */
    context: v.optional(v.array(v.picklist(contextKinds))),
  }),
  v.object({ type: v.literal('mentions'), version: count, query: v.pipe(text, v.maxLength(200)) }),
  /** Attaches an offered mention. */
  v.object({ type: v.literal('mention'), id: text }),
  /** Shows the text that a kind of context or an attachment adds to the question. */
  v.object({ type: v.literal('showContext'), kind: v.picklist(contextKinds) }),
  v.object({ type: v.literal('showAttachment'), id: text }),
  v.object({ type: v.literal('switchBranch') }),
  /** Asks where a value of a result comes from; `cells` is its row as shown. */
  v.object({ type: v.literal('explainCell'), turn: text, id: text, column: count, cells: v.array(v.nullable(text)) }),
  /** Asks for a measure that produces the numbers of a result. */
  v.object({ type: v.literal('makeMeasure'), turn: text, id: text }),
  /** Saves a result with its question and its query as a file of the project. */
  v.object({ type: v.literal('saveAnswer'), turn: text, id: text }),
  v.object({ type: v.literal('stop') }),
  v.object({ type: v.literal('retry'), turn: text }),
  /** Sends a waiting question now, puts it back into the composer, or removes it. */
  v.object({ type: v.literal('queued'), id: text, action: v.picklist(['send', 'edit', 'remove']) }),
  v.object({ type: v.literal('follow') }),
  /** The browser reports that the network is back. */
  v.object({ type: v.literal('online') }),
  v.object({ type: v.literal('newThread') }),
  v.object({ type: v.literal('openThread'), key: text }),
  v.object({ type: v.literal('renameThread'), key: text }),
  v.object({ type: v.literal('deleteThread'), key: text }),
  v.object({ type: v.literal('deleteAllThreads') }),
  /** Searches the texts of all threads. */
  v.object({ type: v.literal('searchThreads'), version: count, query: v.pipe(text, v.maxLength(200)) }),
  v.object({ type: v.literal('showEarlier') }),
  v.object({ type: v.literal('rows'), turn: text, id: text, version: count, offset: count, count, ...arrangement }),
  v.object({ type: v.literal('chart'), turn: text, id: text }),
  /** Drawing the chart took too long; an empty reason means that it was drawn after all. */
  v.object({ type: v.literal('chartFailed'), turn: text, id: text, reason: v.pipe(text, v.maxLength(500)) }),
  v.object({
    type: v.literal('tool'),
    turn: text,
    id: text,
    action: v.picklist([
      'openSql',
      'openPlayground',
      'openChart',
      'openRows',
      'runSql',
      'saveCsv',
      'saveMarkdown',
      'copyTable',
      'copySql',
    ]),
    /** The format in which rows are copied; the default is for spreadsheets. */
    format: v.optional(v.picklist(rowFormats)),
    ...arrangement,
  }),
  v.object({ type: v.literal('copy'), text }),
  v.object({ type: v.literal('insert'), text }),
  v.object({ type: v.literal('apply'), text, language: text }),
  /** `list` requests the state of a turn's proposals; the other actions change some of them. */
  v.object({
    type: v.literal('proposal'),
    turn: text,
    action: v.picklist(['list', 'review', 'accept', 'acceptHunks', 'reject', 'undo', 'draft', 'chooseFolder']),
    paths: v.array(text),
  }),
  v.object({ type: v.literal('openLink'), href: text }),
  v.object({ type: v.literal('openMember'), name: text }),
  v.object({ type: v.literal('saveImage'), format: v.picklist(['png', 'svg']), data: text, name: text }),
  v.object({ type: v.literal('attach'), what: v.picklist(['file', 'selection', 'member', 'problems', 'pick']) }),
  v.object({ type: v.literal('detach'), id: text }),
  v.object({ type: v.literal('setUp'), what: text }),
  v.object({ type: v.literal('export') }),
  v.object({ type: v.literal('copyLink') }),
  v.object({ type: v.literal('log'), message: text }),
]);
export type ViewToHost = v.InferOutput<typeof ViewToHost>;

/** Parses a message of a view; returns `undefined` if it is invalid. */
export function parseViewToHost(value: unknown): ViewToHost | undefined {
  return parsed(ViewToHost, value);
}
