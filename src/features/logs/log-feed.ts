import { asError, isCancelled, nextTurn } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import type { Disposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { searchPattern } from './log-search.ts';
import {
  type HostToLog,
  type LogAddress,
  type LogLevel,
  type LogState,
  type LogToHost,
  parseLogToHost,
} from './messages.ts';
import { errorTexts } from '#shell/error-texts.ts';
import { LogBook, type LogBookLimits } from './log-book.ts';
import { type Bounded, marksIn, tooSlow } from './log-match.ts';
import { type AskLog, followLog, type LogPosition } from './log-tail.ts';

/** A file mentioned in a line. */
export type LogTarget = Omit<Extract<LogToHost, { readonly type: 'open' }>, 'type'>;

/** The actions of a log view that need the window. */
export interface LogActions {
  /** Writes the shown lines to a file that the user chooses. */
  readonly save: (parts: AsyncIterable<string>) => Promise<void>;
  readonly copy: (text: string) => Promise<void>;
  readonly open: (target: LogTarget) => Promise<void>;
  /** Asks for another log to replace this one. */
  readonly choose: (what: Extract<LogToHost, { readonly type: 'choose' }>['what']) => Promise<void>;
}

export interface LogFeedDeps {
  readonly log: LogAddress;
  readonly ask: AskLog;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: (message: HostToLog) => void;
  readonly actions: LogActions;
  /** Runs regular expressions of the user with a time limit. */
  readonly bounded: Bounded;
  readonly limits?: LogBookLimits | undefined;
}

/** The shortest interval between two updates of a view, in milliseconds. */
const reportPauseMs = 100;
/** The maximum number of lines per request of a view, and of characters that it receives of a line; files get whole lines. */
const mostLines = 1000;
const mostCharacters = 4000;
/** The number of lines that are written at once, and the maximum number that are copied. */
const searchedLines = 2000;
const copiedLines = 20_000;

/** The host side of a log view: follows the log, stores its lines, and sends the visible ones to the view. */
export class LogFeed implements Disposable {
  readonly #deps: LogFeedDeps;
  readonly #book: LogBook;
  /** Survives an interruption of the log, so that *Retry* continues without showing a row twice. */
  readonly #position: LogPosition;
  #ended = new AbortController();
  #phase: LogState['phase'] = 'loading';
  #message = '';
  #problem = '';
  #version = 0;
  #isReporting = false;
  #isScanning = false;
  #search = 0;
  #level: LogLevel = 'debug';
  /** The search text, which is highlighted in the lines that the view receives. */
  #wanted: RegExp | undefined;
  /** The range that the view requested last. */
  #given = { offset: 0, count: 0 };

  constructor(deps: LogFeedDeps) {
    this.#deps = deps;
    this.#position = { newest: deps.log.from };
    this.#book = new LogBook(deps.limits, deps.bounded);
  }

  /** Follows the log; resolves when the view is closed or the log cannot be read. */
  async run(): Promise<void> {
    this.#ended.abort();
    this.#ended = new AbortController();
    const { signal } = this.#ended;
    const { ask, clock } = this.#deps;
    this.#stand('loading');
    try {
      for await (const news of followLog(this.#withProgress(ask), clock, signal, this.#position)) {
        if (news.kind === 'rows') this.#book.append(news.rows);
        else this.#book.note(`The log was too long to be read completely: rows after ${news.after} are missing.`);
        void this.#scan();
        this.#postSoon();
      }
    } catch (error) {
      if (isCancelled(error) || signal.aborted) return;
      const texts = errorTexts(error);
      this.#stand('failed', texts.kind === 'silent' ? asError(error).message : texts.message);
    }
  }

  /** Handles an unchecked message of the webview. */
  async receive(value: unknown): Promise<void> {
    const message = parseLogToHost(value);
    if (message) await this.#handle(message);
    else this.#deps.logger.warn('A message of a log view was not understood');
  }

  dispose(): void {
    this.#ended.abort();
  }

  async #handle(message: LogToHost): Promise<void> {
    switch (message.type) {
      case 'lines':
        this.#give(message.offset, Math.min(message.count, mostLines));
        return;
      case 'filter':
        await this.#filter(message);
        return;
      case 'find':
        await this.#find(message);
        return;
      case 'choose':
        await this.#deps.actions.choose(message.what);
        return;
      case 'open':
        await this.#deps.actions.open(message);
        return;
      case 'save':
        await this.#deps.actions.save(this.#parts());
        return;
      case 'copy':
        await this.#copy();
        return;
      case 'retry':
        void this.run();
        return;
      case 'ready':
        this.#deps.post({ type: 'opened', log: this.#deps.log });
        break;
      case 'pause':
        this.#book.pause();
        break;
      case 'resume':
        this.#book.resume();
        void this.#scan();
        break;
      case 'clear':
        this.#book.clear();
        this.#version += 1;
        break;
      default:
    }
    this.#postState();
  }

  #give(offset: number, count: number): void {
    this.#given = { offset, count };
    const lines = this.#book.lines(offset, count).map(([text, level]) => {
      const cut = text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
      return [cut, level] as [string, typeof level];
    });
    const texts = lines.map(([text]) => text);
    const marks = marksIn(this.#deps.bounded, this.#wanted, texts).map((indexes) => [...indexes]);
    // Lines may have been dropped since the request.
    const first = Math.max(offset, this.#book.shown.from);
    this.#deps.post({ type: 'lines', version: this.#version, offset: first, lines, marks });
  }

  async #filter({ text, level }: Extract<LogToHost, { readonly type: 'filter' }>): Promise<void> {
    const pattern = searchPattern(text);
    this.#problem = pattern.ok ? '' : pattern.error;
    if (pattern.ok) {
      this.#level = level;
      this.#book.filter({ pattern: pattern.value, level });
      this.#version += 1;
      await this.#scan();
    }
    this.#postState();
  }

  /** Filters new lines, a slice at a time. */
  async #scan(): Promise<void> {
    if (this.#isScanning) return;
    this.#isScanning = true;
    for (let step = this.#book.scan(); step !== 'done'; step = this.#book.scan()) {
      if (step === 'tooSlow') this.#giveUpFilter();
      this.#postSoon();
      await nextTurn();
    }
    this.#isScanning = false;
    this.#postSoon();
  }

  /** Gives up an expression that never terminates: shows all lines of the chosen severity, and the reason. */
  #giveUpFilter(): void {
    this.#problem = tooSlow;
    this.#book.filter({ pattern: undefined, level: this.#level });
    this.#version += 1;
  }

  async #find({ text, from, backwards }: Extract<LogToHost, { readonly type: 'find' }>): Promise<void> {
    this.#search += 1;
    const search = this.#search;
    const pattern = searchPattern(text);
    const wanted = pattern.ok ? pattern.value : undefined;
    let index: number | 'tooSlow' | undefined;
    if (wanted) {
      const looking = this.#book.find(wanted, from, backwards);
      let step = looking.next();
      while (step.done !== true && search === this.#search) {
        await nextTurn();
        step = looking.next();
      }
      if (step.done === true) index = step.value;
    }
    if (search !== this.#search) return;
    this.#mark(index === 'tooSlow' ? undefined : wanted);
    const found = { type: 'found', version: this.#version } as const;
    if (index === 'tooSlow') this.#deps.post({ ...found, index: undefined, problem: tooSlow });
    else this.#deps.post({ ...found, index, problem: pattern.ok ? '' : pattern.error });
  }

  /** Highlights the search text in the lines that the view has. */
  #mark(wanted: RegExp | undefined): void {
    if (String(this.#wanted) === String(wanted)) return;
    this.#wanted = wanted;
    this.#give(this.#given.offset, this.#given.count);
  }

  /** Returns the lines that are shown now, without those that arrive meanwhile. */
  async *#parts(): AsyncGenerator<string> {
    const { from, to } = this.#book.shown;
    for (let offset = from; offset < to; offset += searchedLines) {
      const lines = this.#book.lines(offset, Math.min(searchedLines, to - offset));
      yield `${lines.map(([text]) => text).join('\n')}\n`;
      await nextTurn();
    }
  }

  async #copy(): Promise<void> {
    const { from, to } = this.#book.shown;
    const lines = this.#book.lines(Math.max(from, to - copiedLines), copiedLines);
    await this.#deps.actions.copy(lines.map(([text]) => text).join('\n'));
  }

  /** Wraps `ask` to report that the log is being followed once a response begins, even an empty one. */
  #withProgress(ask: AskLog): AskLog {
    const stand = (): void => {
      if (this.#phase === 'loading') this.#stand('following');
    };
    return async function* (question, signal) {
      for await (const rows of ask(question, signal)) {
        stand();
        yield rows;
      }
      stand();
    };
  }

  #stand(phase: LogState['phase'], message = ''): void {
    this.#phase = phase;
    this.#message = message;
    this.#postState();
  }

  /** Reports new lines to the view, in batches. */
  #postSoon(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    void this.#deps.clock.sleep(reportPauseMs).then(() => {
      this.#isReporting = false;
      this.#postState();
    });
  }

  #postState(): void {
    if (this.#ended.signal.aborted) return;
    this.#deps.post({
      type: 'state',
      title: this.#deps.log.title,
      phase: this.#phase,
      message: this.#message,
      ...this.#book.shown,
      version: this.#version,
      isPaused: this.#book.isPaused,
      held: this.#book.held,
      isFiltered: this.#book.isFiltered,
      problem: this.#problem,
    });
  }
}
