import type { Attachment } from '#chat-core/attachments.ts';
import type { Event } from '#base/event.ts';
import type { RowFormat } from '#base/row-text.ts';
import type { LineChange } from '#base/merge-lines.ts';
import type { EngineMessage, EngineVerdict } from '#chat-core/proposal-ports.ts';
import type { ProposalReview, ProposedChange, WhileChecking } from '#chat-core/proposal-review.ts';
import type { ChatThread, ChatTurn, TurnBranch } from '#chat-core/thread.ts';
import type { QueryResult } from '#chat-core/tool-result.ts';
import type { Mention } from '#features/chat/mentions.ts';
import type { ViewContext, ViewToHost } from '#features/chat/messages.ts';
import type { ProposalMeaning } from '#features/chat/proposal-page.ts';
import type { ReviewSource } from '#features/review/index.ts';

export type ResultAction = Extract<ViewToHost, { readonly type: 'tool' }>['action'];
/** Where the query of a result ran, and how its rows are copied. */
export interface ResultUse {
  readonly branch: TurnBranch | undefined;
  readonly format?: RowFormat | undefined;
}
export type AttachWhat = Extract<ViewToHost, { readonly type: 'attach' }>['what'];

/** What happens when a proposed file is decided on where it is shown. */
export type Decide = (action: 'accept' | 'acceptHunks' | 'reject', path: string) => Promise<void>;

/** What the editor does about the model files that answers propose. */
export interface ProposalHost {
  /** The review of a turn's proposals, the same for every view. */
  reviewOf(threadKey: string, turn: ChatTurn): Promise<ProposalReview>;
  /** Whether this window may write at all: not in Restricted Mode. */
  mayWrite(): Promise<boolean>;
  /** Whether accepted files may be written now; asks where the answer is about another branch. */
  mayAccept(branch: TurnBranch | undefined): Promise<boolean>;
  readonly editors: ProposalEditors;
  readonly engine: ProposalEngine;
  /** What the page of several files says of the model. */
  readonly meaning: ProposalMeaning;
  /** A file that is proposed has changed. */
  readonly onDidChangeFiles: Event<void>;
}

/** Editors and pages in which proposed files are reviewed. */
export interface ProposalEditors {
  /** Shows files as changes against what is there; `decide` is called for one that is accepted or rejected there. */
  show(changes: readonly ProposedChange[], decide: Decide): Promise<void>;
  /** Shows the page of several files. */
  openPage(page: ReviewSource): Promise<void>;
  /** Asks which changes of a file are to be made. */
  pickHunks(change: ProposedChange): Promise<readonly LineChange[] | undefined>;
  /** Opens a text that belongs to no certain place in an editor of its own. */
  openDraft(path: string, text: string): Promise<void>;
  /** Opens the merge editor on what cannot be decided without the user. */
  mergeInEditor(work: () => Promise<void>): void;
}

/** What the user sees of the engine's check of proposed files. */
export interface ProposalEngine {
  /** Runs a check by the engine where the user can see and cancel it. */
  readonly whileChecking: WhileChecking;
  /** Marks what the engine refuses in the proposals that are shown. */
  mark(verdict: EngineVerdict): void;
  /** Asks whether a change is accepted although the engine refuses it. */
  acceptsRefused(errors: readonly EngineMessage[]): Promise<boolean>;
}

/** One thing that the user has open. */
export interface ContextOffer extends ViewContext {
  /** That of the attachment that is read: what is attached already is not offered. */
  readonly id: string;
  /** What is sent of it, read when it is needed; `undefined` where it is gone. */
  readonly read: () => Promise<Attachment | undefined>;
}

/** What the user has open in the editor around the chat. */
export interface OfferedContext {
  readonly offers: () => readonly ContextOffer[];
  readonly onDidChange: Event<void>;
}

/** What happens to a text of an answer, and to what it names. */
export interface AnswerTexts {
  copy(text: string): Promise<void>;
  /** Into the text editor that was last in use. */
  insert(text: string): Promise<void>;
  /** Shows code as a change to a model file that the user chooses, to be accepted or not. */
  applyCode(text: string, language: string): Promise<void>;
  openLink(href: string): Promise<void>;
  /** Goes to the definition of a cube, view or member. */
  openMember(name: string): Promise<void>;
}

/** What happens to the results of an answer. */
export interface AnswerResults {
  /** `result` holds the rows that the view shows, in its order. */
  use(action: ResultAction, result: QueryResult, use: ResultUse): Promise<void>;
  /** Keeps an answer with its question as a file of the project that other tools test. */
  saveAnswer(question: string, result: QueryResult): Promise<void>;
  /** `data`: base64 for PNG, text for SVG. */
  saveImage(name: string, format: 'png' | 'svg', data: string): Promise<void>;
}

/** What can go along with a question. */
export interface QuestionSources {
  pickAttachment(what: AttachWhat): Promise<Attachment | undefined>;
  /** What a question can refer to by this name, best first. */
  mentions(query: string): Promise<readonly Mention[]>;
  readonly context: OfferedContext;
  /** The definitions of those of these names that the model of this window has. */
  definitions(names: readonly string[]): Promise<readonly Attachment[]>;
  /** Shows a text that goes along with a question, as it is sent. */
  showText(title: string, content: string): Promise<void>;
}

/** What the chat asks before a thread is changed, and what it does with whole threads. */
export interface ThreadActions {
  export(thread: ChatThread): Promise<void>;
  /** Of the shown deployment's thread that the platform knows by this id; without one it is said why there is none. */
  copyLink(chatId: string | undefined): Promise<void>;
  confirmDelete(title: string): Promise<boolean>;
  confirmDeleteAll(count: number): Promise<boolean>;
  askTitle(current: string): Promise<string | undefined>;
}

/** What the chat asks of the editor around it. */
export interface ChatHost {
  readonly texts: AnswerTexts;
  readonly results: AnswerResults;
  readonly proposals: ProposalHost;
  readonly sources: QuestionSources;
  readonly threads: ThreadActions;
  /** Asks for another active branch. */
  switchBranch(): Promise<void>;
  /** Gives what is missing: an account, a deployment, the Chat API URL, a credential. */
  setUp(what: string): Promise<void>;
}
