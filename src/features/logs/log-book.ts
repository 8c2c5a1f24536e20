import { type LogLevel, logLevels, type ShownLine } from './messages.ts';
import { type Bounded, mostTries, type Tried, tryLines } from './log-match.ts';
import { formatLogLine, type LogLine } from './log-tail.ts';

/** Which lines are shown. */
export interface LogFilter {
  readonly pattern: RegExp | undefined;
  readonly level: LogLevel;
}

export interface LogBookLimits {
  /** Characters that are kept; the oldest lines go first. */
  readonly kept: number;
  /** Characters that are kept while a user reads a paused log; what comes then is counted only. */
  readonly keptPaused: number;
}

const usual: LogBookLimits = { kept: 64 * 1024 * 1024, keptPaused: 96 * 1024 * 1024 };

/** Lines that are filtered before the host does something else. */
const sliceLines = 4000;

/**
 * The lines of a log that a user reads: bounded, filtered, held while paused. Lines and shown lines are named by their
 * place since the beginning, so that what is dropped at the head changes no name.
 */
export class LogBook {
  readonly #limits: LogBookLimits;
  readonly #bounded: Bounded;
  #lines: string[] = [];
  #levels: number[] = [];
  #size = 0;
  /** Lines that were dropped at the head. */
  #first = 0;
  #filter: LogFilter = { pattern: undefined, level: 'debug' };
  /** Places of the lines that match, and how many of these were dropped; undefined without a filter. */
  #matches: number[] | undefined;
  #firstMatch = 0;
  /** The line up to which matches are known. */
  #scanned = 0;
  /** How often the filter ran out of time on the line where it is. */
  #stuck = 0;
  #pausedAt: number | undefined;
  /** Lines that came while paused and found no room. */
  #lost = 0;

  /** `bounded`: runs the expressions of the filter and the search, which may never end. */
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

  /** Lines that came since the pause. */
  get held(): number {
    return this.#pausedAt === undefined ? 0 : this.#end - this.#pausedAt + this.#lost;
  }

  /** Places of the shown lines. */
  get shown(): { readonly from: number; readonly to: number } {
    const end = this.#pausedAt ?? this.#end;
    if (!this.#matches) return { from: this.#first, to: end };
    return { from: this.#firstMatch, to: this.#firstMatch + firstAtLeast(this.#matches, end) };
  }

  append(rows: readonly LogLine[]): void {
    for (const row of rows) {
      const level = levelOf(row.message);
      // A view has one height for all its lines.
      for (const line of formatLogLine(row).split('\n')) this.#push(line, level);
    }
    this.#drop();
  }

  /** A line of our own: that some are missing, for example. */
  note(words: string): void {
    this.#push(`— ${words}`, levelNumber('warning'));
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

  /** Filters some of the lines that were not filtered yet; `tooSlow`: the expression does not end on one of them. */
  scan(): 'more' | 'done' | 'tooSlow' {
    if (!this.#matches || this.#scanned >= this.#end) return 'done';
    const until = Math.min(this.#end, this.#scanned + sliceLines);
    const { pattern, level } = this.#filter;
    const least = levelNumber(level);
    const places: number[] = [];
    for (let index = this.#scanned; index < until; index += 1)
      if ((this.#levels[index - this.#first] ?? 0) >= least) places.push(index);
    const { seen, hits } = pattern ? this.#try(pattern, places) : { seen: places.length, hits: places.keys() };
    for (const at of hits) this.#matches.push(places[at] ?? until);
    this.#stuck = seen === 0 && places.length > 0 ? this.#stuck + 1 : 0;
    this.#scanned = places[seen] ?? until;
    if (this.#stuck >= mostTries) return 'tooSlow';
    return this.#scanned < this.#end ? 'more' : 'done';
  }

  /** Shown lines from a place on. */
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
   * The next shown line with that text, from a place on in a direction and around the end; a part at a time. `tooSlow`:
   * the expression does not end on one of the lines.
   */
  *find(pattern: RegExp, from: number, backwards: boolean): Generator<undefined, number | 'tooSlow' | undefined> {
    const shown = this.shown;
    const size = shown.to - shown.from;
    const placeAt = (step: number): number => {
      const ahead = (((backwards ? from - step : from + step) - shown.from) % size) + size;
      return shown.from + (ahead % size);
    };
    let tries = 0;
    for (let step = 0; step < size;) {
      const places = Array.from({ length: Math.min(sliceLines, size - step) }, (_, at) => placeAt(step + at));
      const { seen, hits } = this.#try(
        pattern,
        places.map((place) => this.#lineAt(place)),
      );
      if (hits[0] !== undefined) return places[hits[0]];
      tries = seen === 0 ? tries + 1 : 0;
      if (tries >= mostTries) return 'tooSlow';
      step += seen;
      if (step < size) yield undefined;
    }
    return undefined;
  }

  #try(pattern: RegExp, places: readonly number[]): Tried {
    return tryLines(
      this.#bounded,
      pattern,
      places.map((place) => this.#lines[place - this.#first] ?? ''),
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

  /** Makes room at the head, a tenth at a time; never under the eyes of who reads a paused log. */
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

  #lineAt(place: number): number {
    return this.#matches ? (this.#matches[place - this.#firstMatch] ?? this.#end) : place;
  }
}

/** How severe a row is, as its own words say near their beginning; most rows are information. */
function levelOf(message: string): number {
  const found = levelWord.exec(message.length > 400 ? message.slice(0, 400) : message);
  const word = (found?.[1] ?? found?.[2] ?? '').toLowerCase();
  return levelNumber(/^(?:fatal|crit|error|err|panic)/.test(word) ? 'error' : (levelLabels[word] ?? 'info'));
}

/** `"level":"warn"` in any case, else a word in capitals. */
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

/** The first index of an ascending list whose number is not below `least`. */
function firstAtLeast(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
