import type { Attachment } from '#chat-core/attachments.ts';
import type { Event } from '#base/event.ts';
import type { RowFormat } from '#base/row-text.ts';
import type { LineChange } from '#base/merge-lines.ts';
import type { EngineMessage, EngineVerdict, RequireLanding } from '#chat-core/proposal-ports.ts';
import type { ProposalReview, ProposedChange, WhileChecking } from '#chat-core/proposal-review.ts';
import type { ChatThread, ChatTurn, TurnBranch } from '#chat-core/thread.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import type { Mention } from '#features/chat/mentions.ts';
import type { ProposalFolder, ViewContext, ViewToHost } from '#features/chat/messages.ts';
import type { ProposalEffects } from '#features/chat/proposal-page.ts';
import type { ReviewSource } from '#features/review/index.ts';

/** Charts that failed before, by their specification: they are not drawn again. */
export interface KnownFailures {
  reasonOf(spec: string): string | undefined;
  /** Records a failure; an empty reason means that the chart was drawn after all. */
  set(spec: string, reason: string): Promise<void>;
}

export type ResultAction = Extract<ViewToHost, { readonly type: 'tool' }>['action'];
/** The branch on which a result's query ran, and the format in which its rows are copied. */
export interface ResultUse {
  readonly branch: TurnBranch | undefined;
  readonly format?: RowFormat | undefined;
}
export type AttachWhat = Extract<ViewToHost, { readonly type: 'attach' }>['what'];

/** Called when the user accepts or rejects a proposed file where it is shown. */
export type Decide = (action: 'accept' | 'acceptHunks' | 'reject', path: string) => Promise<void>;

/** The editor's side of the model files that answers propose. */
export interface ProposalHost {
  /** Resolves to the review of a turn's proposals, which all views share. */
  reviewOf(threadKey: string, turn: ChatTurn): Promise<ProposalReview>;
  readonly folders: ProposalFolders;
  /** Whether this window may write at all, which it may not in Restricted Mode. */
  mayWrite(): Promise<boolean>;
  /**
   * Asks the user if the answer is about another branch. Resolves to `undefined` if accepted files may not be written now; otherwise
   * to a check for the time of the write.
   */
  mayAccept(branch: TurnBranch | undefined): Promise<RequireLanding | undefined>;
  readonly editors: ProposalEditors;
  readonly engine: ProposalEngine;
  /** Returns the ports that find what a review changes, for the page with several files. */
  effectsOf(review: ProposalReview): ProposalEffects;
  /** Fires when a proposed file has changed. */
  readonly onDidChangeFiles: Event<void>;
}

/** The folders in which proposed files can be accepted. */
export interface ProposalFolders {
  /** Resolves to the folder in which files of a turn are accepted; `undefined` if no other one could be meant. */
  of(threadKey: string, turn: ChatTurn): Promise<ProposalFolder | undefined>;
  /** Asks the user for the folder in which proposed files are accepted from now on. */
  choose(): Promise<void>;
}

/** Editors and pages in which proposed files are reviewed. */
export interface ProposalEditors {
  /** Shows files as changes against the current ones; `decide` is called when the user accepts or rejects one there. */
  show(review: ProposalReview, changes: readonly ProposedChange[], decide: Decide): Promise<void>;
  /** Opens the page with several files. */
  openPage(page: ReviewSource): Promise<void>;
  /** Asks the user which changes of a file to make. */
  pickHunks(change: ProposedChange): Promise<readonly LineChange[] | undefined>;
  /** Opens a text that has no definite file in a separate editor. */
  openDraft(review: ProposalReview | undefined, path: string, text: string): Promise<void>;
  /** Runs work that may open the merge editor on conflicts that need the user. */
  mergeInEditor(work: () => Promise<void>): void;
}

/** The user-visible side of the engine's check of proposed files. */
export interface ProposalEngine {
  /** Runs a check by the engine with progress that the user can cancel. */
  readonly whileChecking: WhileChecking;
  /** Marks what the engine refuses in the proposals on display. */
  mark(review: ProposalReview, verdict: EngineVerdict): void;
  /** Asks the user whether to accept a change although the engine refuses it. */
  acceptsRefused(errors: readonly EngineMessage[]): Promise<boolean>;
}

/** One item that the user has open and can attach. */
export interface ContextOffer extends ViewContext {
  /** The id of the attachment that `read` returns; used to avoid offering what is already attached. */
  readonly id: string;
  /** Reads the content to send, on demand; resolves to `undefined` if it no longer exists. */
  readonly read: () => Promise<Attachment | undefined>;
}

/** The items that the user has open in the editor around the chat. */
export interface OfferedContext {
  readonly offers: () => readonly ContextOffer[];
  readonly onDidChange: Event<void>;
}

/** Actions on a text of an answer, and on the names in it. */
export interface AnswerTexts {
  copy(text: string): Promise<void>;
  /** Inserts a text into the text editor that was last active. */
  insert(text: string): Promise<void>;
  /** Shows code as a change to a model file that the user chooses, to accept or reject. */
  applyCode(text: string, language: string): Promise<void>;
  openLink(href: string): Promise<void>;
  /** Goes to the definition of a cube, view or member. */
  openMember(name: string): Promise<void>;
}

/** Actions on the results of an answer. */
export interface AnswerResults {
  /** Performs an action; `result` holds the rows that the view shows, in its order. */
  use(action: ResultAction, result: QueryResult, use: ResultUse): Promise<void>;
  /** Saves an answer with its question as a project file that other tools can test. */
  saveAnswer(question: string, result: QueryResult): Promise<void>;
  /** Saves a picture; `data` is base64 for PNG, text for SVG. */
  saveImage(name: string, format: 'png' | 'svg', data: string): Promise<void>;
}

/** The sources of everything that can be attached to a question. */
export interface QuestionSources {
  pickAttachment(what: AttachWhat): Promise<Attachment | undefined>;
  /** Resolves to the items that a question can mention by this name, best match first. */
  mentions(query: string): Promise<readonly Mention[]>;
  readonly context: OfferedContext;
  /** Resolves to the definitions of those names that exist in this window's model. */
  definitions(names: readonly string[]): Promise<readonly Attachment[]>;
  /** Shows an attached text exactly as it is sent. */
  showText(title: string, content: string): Promise<void>;
}

/** Confirmations before a thread changes, and actions on whole threads. */
export interface ThreadActions {
  export(thread: ChatThread): Promise<void>;
  /** Copies the link to the shown deployment's thread with this platform id; without an id, explains why there is no link. */
  copyLink(chatId: string | undefined): Promise<void>;
  confirmDelete(title: string): Promise<boolean>;
  confirmDeleteAll(count: number): Promise<boolean>;
  askTitle(current: string): Promise<string | undefined>;
}

/** Everything that the chat needs from the editor around it. */
export interface ChatHost {
  readonly texts: AnswerTexts;
  readonly results: AnswerResults;
  readonly proposals: ProposalHost;
  readonly sources: QuestionSources;
  readonly threads: ThreadActions;
  /** Asks the user for another active branch. */
  switchBranch(): Promise<void>;
  /** Sets up whatever is missing: an account, a deployment, the Chat API URL, a credential. */
  setUp(what: string): Promise<void>;
}
