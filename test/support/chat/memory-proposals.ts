import { createHash } from 'node:crypto';
import { Emitter } from '#base/event.ts';
import type { LineChange } from '#base/merge-lines.ts';
import {
  type AskEngine,
  type EngineVerdict,
  type FileChange,
  type FileConflict,
  FileMovedOn,
  type FileNow,
  type ProposalFiles,
  type RequireLanding,
  type ProposalClassifier,
} from '#chat-core/proposal-ports.ts';
import { ProposalRecords } from '#chat-core/proposal-records.ts';
import { type ProposedChange, ProposalReview, type WhileChecking } from '#chat-core/proposal-review.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { type ChatTurn, finalAnswer } from '#chat-core/thread.ts';
import { classifyBlocks, problemOf } from '#model/proposed/classify-blocks.ts';
import { modelComparison } from '#compose/model-comparison.ts';
import type { Decide, ProposalEditors, ProposalEngine, ProposalFolders, ProposalHost } from '#features/chat/host.ts';
import type { ProposalFolder } from '#features/chat/messages.ts';
import type { ProposalEffects } from '#features/chat/proposal-page.ts';
import type { ReviewSource } from '#features/review/source.ts';
import { Hint } from '#shell/user-error.ts';
import { MemoryFiles } from './memory-files.ts';

/** Files in memory as an editor holds them. */
export class MemoryProposalFiles implements ProposalFiles {
  readonly texts = new Map<string, string>();
  readonly unsaved = new Set<string>();
  /** Why paths are refused, as the disk would report. */
  readonly refusals = new Map<string, string>();
  /** Paths that cannot be read. */
  readonly unreadable = new Set<string>();
  /** The paths of each write. */
  readonly writes: (readonly string[])[] = [];
  /** The trash, by path. */
  readonly trash: (readonly [string, string])[] = [];
  readonly conflicts: FileConflict[] = [];
  /** Returns the user's resolution of a conflict; `undefined` if the editor is closed without a result. */
  resolve: (conflict: FileConflict) => string | undefined = () => undefined;
  /** Runs right before the next write. */
  beforeWrite: () => void = () => undefined;

  read(path: string): Promise<FileNow | undefined> {
    if (this.unreadable.has(path)) return Promise.reject(new Error(`ENOTDIR: /home/user/${path}`));
    const text = this.texts.get(path);
    return Promise.resolve(text === undefined ? undefined : { text, isUnsaved: this.unsaved.has(path) });
  }

  refusalOf(path: string): string | undefined {
    return this.refusals.get(path);
  }

  async write(changes: readonly FileChange[], requireLanding?: RequireLanding): Promise<void> {
    this.beforeWrite();
    this.beforeWrite = () => undefined;
    requireLanding?.();
    for (const { path, before } of changes)
      if (this.texts.get(path) !== before) return Promise.reject(new FileMovedOn(path));
    this.writes.push(changes.map(({ path }) => path));
    for (const { path, before, text } of changes) {
      if (before !== undefined) this.trash.push([path, before]);
      if (text === undefined) this.texts.delete(path);
      else this.texts.set(path, text);
    }
    return Promise.resolve();
  }

  merge(conflict: FileConflict): Promise<boolean> {
    this.conflicts.push(conflict);
    const text = this.resolve(conflict);
    if (text !== undefined) this.texts.set(conflict.path, text);
    return Promise.resolve(text !== undefined);
  }
}

/** Classifies with the model language itself. */
export const classifier: ProposalClassifier = {
  classify: (path, base, blocks) => Promise.resolve(classifyBlocks(path, base, blocks)),
  problem: (...asked) => Promise.resolve(problemOf(...asked)),
};

export function recordsIn(files: MemoryFiles, thread = 'thread'): ProposalRecords {
  return new ProposalRecords(files, thread, (text) => createHash('sha256').update(text).digest('hex'));
}

/** The editor's side of proposals, in memory. The basis of the answer is the files as they are when it is first shown. */
export class MemoryProposals implements ProposalHost {
  readonly files = new MemoryProposalFiles();
  readonly stored = new MemoryFiles();
  /** The paths that were shown as changes. */
  readonly shown: (readonly string[])[] = [];
  readonly drafts: string[] = [];
  readonly changed = new Emitter<void>();
  readonly onDidChangeFiles = this.changed.event;
  allowed = true;
  /** Where accepted files go. */
  landing = 'dev-ada';
  /** The engine; absent unless a test sets one. */
  asksEngine: AskEngine | undefined;
  /** Returns the changes of a file that the user ticks. */
  picked: (change: ProposedChange) => readonly LineChange[] | undefined = ({ hunks }) => hunks;
  /** What the editor of the last shown file would call. */
  decide: Decide = () => Promise.reject(new Error('nothing is shown'));
  readonly #reviews = new Map<string, Promise<ProposalReview>>();

  reviewOf(threadKey: string, turn: ChatTurn): Promise<ProposalReview> {
    const key = `${threadKey}/${turn.id}`;
    const review = this.#reviews.get(key) ?? this.#make(threadKey, turn);
    this.#reviews.set(key, review);
    return review;
  }

  /** Verdicts that were marked in shown proposals. */
  readonly marked: EngineVerdict[] = [];
  /** Whether the user accepts what the engine refuses. */
  acceptsAnyway = false;
  /** Runs a check; a test replaces it to act while the check runs. */
  whileChecking: WhileChecking = (work) => work(new AbortController().signal);

  readonly engine: ProposalEngine = {
    whileChecking: (work) => this.whileChecking(work),
    mark: (_review, verdict) => void this.marked.push(verdict),
    acceptsRefused: () => Promise.resolve(this.acceptsAnyway),
  };

  readonly editors: ProposalEditors = {
    show: (_review, changes, decide) => {
      this.decide = decide;
      this.shown.push(changes.map(({ path }) => path));
      return Promise.resolve();
    },
    openPage: (page) => Promise.resolve(void this.pages.push(page)),
    pickHunks: (change) => Promise.resolve(this.picked(change)),
    mergeInEditor: (work) => void work(),
    openDraft: (_review, _path, text) => Promise.resolve(void this.drafts.push(text)),
  };

  mayAccept(): Promise<RequireLanding | undefined> {
    const { landing } = this;
    const requireLanding = (): void => {
      if (this.landing !== landing) throw new Hint('Another branch was chosen meanwhile.');
    };
    return Promise.resolve(this.allowed ? requireLanding : undefined);
  }

  /** The opened pages with several files. */
  readonly pages: ReviewSource[] = [];
  /** The folder that is shown where the window has several, and how often the user was asked for another one. */
  folder: ProposalFolder | undefined;
  asksForFolder = 0;

  readonly folders: ProposalFolders = {
    of: () => Promise.resolve(this.folder),
    choose: () => {
      this.asksForFolder += 1;
      return Promise.resolve();
    },
  };

  readonly #effects: ProposalEffects = {
    model: modelComparison(async () => Promise.resolve(null)),
    models: () => Promise.resolve(this.files.texts),
    impact: (texts) =>
      Promise.resolve({ summary: `reaches users of ${[...texts.keys()].join()}`, show: () => Promise.resolve() }),
  };

  effectsOf(): ProposalEffects {
    return this.#effects;
  }

  mayWrite(): Promise<boolean> {
    return Promise.resolve(this.allowed);
  }

  async #make(threadKey: string, turn: ChatTurn): Promise<ProposalReview> {
    const records = recordsIn(this.stored, threadKey);
    await records.begin(turn.id, { local: this.files.texts, branch: new Map(), isComplete: true });
    const blocks = proposedBlocks(finalAnswer(turn));
    const { files, asksEngine: engine } = this;
    return new ProposalReview({ files, records, classifier, engine }, { turn: turn.id, blocks, modelPath: 'model' });
  }
}
