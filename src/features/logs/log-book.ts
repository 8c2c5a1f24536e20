import { own } from '#base/own.ts';
import { type LogLevel, logLevels, type ShownLine } from './messages.ts';
import { type Bounded, mostTries, type Tried, tryLines } from './log-match.ts';
import { formatLogLine, type LogLine } from './log-tail.ts';

/** Selects the lines to show. */
export interface LogFilter {
  readonly pattern: RegExp | undefined;
  readonly level: LogLevel;
}

export interface LogBookLimits {
  /** The maximum number of characters to retain; the oldest lines are dropped first. */
  readonly kept: number;
  /** The maximum number of characters to retain while the log is paused; lines that arrive after that are only counted. */
  readonly keptPaused: number;
}

const usual: LogBookLimits = { kept: 64 * 1024 * 1024, keptPaused: 96 * 1024 * 1024 };

/** The number of lines to filter before yielding to the host. */
const sliceLines = 4000;

/**
 * The lines of a log in a view: bounded, filtered and held back while paused. Lines and shown lines are identified by their index
 * since the beginning, so that dropping old lines does not change it.
 */
export class LogBook {
  readonly #limits: LogBookLimits;
  readonly #bounded: Bounded;
  #lines: string[] = [];
  #levels: number[] = [];
  #size = 0;
  /** The number of lines that were dropped at the head. */
  #first = 0;
  #filter: LogFilter = { pattern: undefined, level: 'debug' };
  /** The indexes of the matching lines (`undefined` without a filter), and the number of matches that were dropped. */
  #matches: number[] | undefined;
  #firstMatch = 0;
  /** The index of the first line that was not filtered yet. */
  #scanned = 0;
  /** How often in a row the filter timed out on its current line. */
  #stuck = 0;
  #pausedAt: number | undefined;
  /** The number of lines that were dropped because the paused log was full. */
  #lost = 0;

  /** `bounded`: runs the expressions of the filter and the search, which may never terminate. */
  constructor(limits: LogBookLimits = usual, bounded: Bounded = (work) => (work(), true)) {
    this.#limits = limits;
    this.#bounded = bounded;
  }

  get isPaused(): boolean {
    return this.#pausedAt !== undefined;
  }

  get isFiltered(): boolean {
    return this.#matches !== undefined;
  }

  /** The number of lines that arrived since the pause. */
  get held(): number {
    return this.#pausedAt === undefined ? 0 : this.#end - this.#pausedAt + this.#lost;
  }

  /** The range of the shown lines. */
  get shown(): { readonly from: number; readonly to: number } {
    const end = this.#pausedAt ?? this.#end;
    if (!this.#matches) return { from: this.#first, to: end };
    return { from: this.#firstMatch, to: this.#firstMatch + firstAtLeast(this.#matches, end) };
  }

  append(rows: readonly LogLine[]): void {
    for (const row of rows) {
      const level = levelOf(row.message);
      // All lines of a view have the same height, so a message with line breaks becomes several.
      for (const line of formatLogLine(row).split('\n')) this.#push(line, level);
    }
    this.#drop();
  }

  /** Adds a line about the log itself, for example that lines are missing. */
  note(text: string): void {
    this.#push(`— ${text}`, levelNumber('warning'));
  }

  pause(): void {
    this.#pausedAt ??= this.#end;
  }

  resume(): void {
    this.#pausedAt = undefined;
    if (this.#lost > 0) this.note(`${this.#lost} lines arrived while the log was paused and were dropped.`);
    this.#lost = 0;
    this.#drop();
  }

  clear(): void {
    this.#first = this.#end;
    this.#lines = [];
    this.#levels = [];
    this.#size = 0;
    if (this.#pausedAt !== undefined) this.#pausedAt = this.#first;
    this.#restart();
  }

  filter(filter: LogFilter): void {
    this.#filter = filter;
    this.#restart();
  }

  /** Filters the next slice of lines; `tooSlow`: the expression repeatedly timed out on one of them. */
  scan(): 'more' | 'done' | 'tooSlow' {
    if (!this.#matches || this.#scanned >= this.#end) return 'done';
    const until = Math.min(this.#end, this.#scanned + sliceLines);
    const { pattern, level } = this.#filter;
    const least = levelNumber(level);
    const indexes: number[] = [];
    for (let index = this.#scanned; index < until; index += 1)
      if ((this.#levels[index - this.#first] ?? 0) >= least) indexes.push(index);
    const { seen, hits } = pattern ? this.#try(pattern, indexes) : { seen: indexes.length, hits: indexes.keys() };
    for (const at of hits) this.#matches.push(indexes[at] ?? until);
    this.#stuck = seen === 0 && indexes.length > 0 ? this.#stuck + 1 : 0;
    this.#scanned = indexes[seen] ?? until;
    if (this.#stuck >= mostTries) return 'tooSlow';
    return this.#scanned < this.#end ? 'more' : 'done';
  }

  /** Returns `count` shown lines from `offset` on. */
  lines(offset: number, count: number): readonly ShownLine[] {
    const { from, to } = this.shown;
    const lines: ShownLine[] = [];
    for (let index = Math.max(offset, from); index < Math.min(offset + count, to); index += 1) {
      const at = this.#lineAt(index) - this.#first;
      lines.push([this.#lines[at] ?? '', logLevels[this.#levels[at] ?? 0] ?? 'info']);
    }
    return lines;
  }

  /**
   * Finds the next shown line that matches, from an index on in a direction and wrapping around, a slice at a time. `tooSlow`:
   * the expression repeatedly timed out on one of the lines.
   */
  *find(pattern: RegExp, from: number, backwards: boolean): Generator<undefined, number | 'tooSlow' | undefined> {
    const shown = this.shown;
    const size = shown.to - shown.from;
    const indexAt = (step: number): number => {
      const ahead = (((backwards ? from - step : from + step) - shown.from) % size) + size;
      return shown.from + (ahead % size);
    };
    let tries = 0;
    for (let step = 0; step < size;) {
      const indexes = Array.from({ length: Math.min(sliceLines, size - step) }, (_, at) => indexAt(step + at));
      const { seen, hits } = this.#try(
        pattern,
        indexes.map((index) => this.#lineAt(index)),
      );
      if (hits[0] !== undefined) return indexes[hits[0]];
      tries = seen === 0 ? tries + 1 : 0;
      if (tries >= mostTries) return 'tooSlow';
      step += seen;
      if (step < size) yield undefined;
    }
    return undefined;
  }

  #try(pattern: RegExp, indexes: readonly number[]): Tried {
    return tryLines(
      this.#bounded,
      pattern,
      indexes.map((index) => this.#lines[index - this.#first] ?? ''),
    );
  }

  get #end(): number {
    return this.#first + this.#lines.length;
  }

  #push(line: string, level: number): void {
    if (this.#pausedAt !== undefined && this.#size > this.#limits.keptPaused) {
      this.#lost += 1;
      return;
    }
    this.#lines.push(line);
    this.#levels.push(level);
    this.#size += line.length;
  }

  /** Drops a tenth of the lines at the head when the log is full, but never while a user reads a paused log. */
  #drop(): void {
    if (this.#pausedAt !== undefined || this.#size <= this.#limits.kept) return;
    const enough = this.#limits.kept * 0.9;
    let count = 0;
    while (this.#size > enough && count < this.#lines.length) {
      this.#size -= this.#lines[count]?.length ?? 0;
      count += 1;
    }
    this.#lines.splice(0, count);
    this.#levels.splice(0, count);
    this.#first += count;
    this.#scanned = Math.max(this.#scanned, this.#first);
    if (!this.#matches) return;
    const gone = firstAtLeast(this.#matches, this.#first);
    this.#matches.splice(0, gone);
    this.#firstMatch += gone;
  }

  #restart(): void {
    const { pattern, level } = this.#filter;
    this.#matches = pattern === undefined && level === 'debug' ? undefined : [];
    this.#firstMatch = 0;
    this.#scanned = this.#first;
    this.#stuck = 0;
  }

  #lineAt(index: number): number {
    return this.#matches ? (this.#matches[index - this.#firstMatch] ?? this.#end) : index;
  }
}

/** Returns the severity of a message from a level near its beginning; information if it has none. */
function levelOf(message: string): number {
  const found = levelWord.exec(message.length > 400 ? message.slice(0, 400) : message);
  const word = (found?.[1] ?? found?.[2] ?? '').toLowerCase();
  return levelNumber(/^(?:fatal|crit|error|err|panic)/.test(word) ? 'error' : (own(levelLabels, word) ?? 'info'));
}

/** Matches `"level":"warn"`, or a level as a word in capitals, or the words `Error` and `Warning`. */
const levelWord =
  /["']?level["']?\s*[:=]\s*["']?(\w+)|\b(FATAL|CRITICAL|PANIC|ERROR|ERR|WARNING|WARN|INFO|DEBUG|TRACE|Error|Warning)\b/;

const levelLabels: Readonly<Record<string, LogLevel>> = {
  warn: 'warning',
  warning: 'warning',
  debug: 'debug',
  trace: 'debug',
  verbose: 'debug',
};

const levelNumber = (level: LogLevel): number => logLevels.indexOf(level);

/** Returns the first index in an ascending list whose number is not below `least`. */
function firstAtLeast(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
