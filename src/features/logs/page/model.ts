import { batch, signal } from '@preact/signals';
import {
  type HostToLog,
  type LogAddress,
  type LogLevel,
  type LogState,
  type LogToHost,
  parseHostToLog,
  type ShownLine,
  type KeptLog,
  parseKeptLog,
} from '#features/logs/messages.ts';
import { receiving } from '#shared/page/host-messages.ts';
import { posting, type VsCodeApi } from '#shared/page/vscode-api.ts';

/** The number of lines to request outside the visible ones. */
const spare = 120;
const noLines = { offset: 0, lines: [], marks: [] };
/** How long to wait after the last keystroke before a filter is applied, in milliseconds. */
const rest = 200;

/** The state of a log view: the state of the log, its loaded lines and the search. */
export class LogModel {
  readonly post: (message: LogToHost) => void;
  readonly state = signal<LogState | undefined>(undefined);
  /** The lines around the visible ones. */
  readonly lines = signal<Pick<Extract<HostToLog, { readonly type: 'lines' }>, 'offset' | 'lines' | 'marks'>>(noLines);
  /** Whether the newest line stays visible. */
  readonly follows = signal(true);
  /** The shown log. */
  readonly log = signal<LogAddress | undefined>(undefined);
  readonly filter = signal('');
  readonly level = signal<LogLevel>('debug');
  readonly wanted = signal('');
  /** The index of the last match of the search; -1: none. */
  readonly found = signal<number | undefined>(undefined);
  /** The problem with the search text; empty if there is none. */
  readonly findProblem = signal('');
  readonly #api: VsCodeApi;
  #kept: KeptLog;
  #asked = '';
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(api: VsCodeApi, window: Window) {
    this.#api = api;
    this.#kept = parseKeptLog(api.getState());
    const { filter = '', level = 'debug' } = this.#kept;
    this.filter.value = filter;
    this.level.value = level;
    this.post = posting(api);
    receiving({ api, window, opening: () => ({ type: 'ready' }), take: (data) => this.#receive(data) });
    // Apply the filter of an earlier window.
    if (filter !== '' || level !== 'debug') this.post({ type: 'filter', text: filter, level });
  }

  /** Requests lines that are not loaded. */
  want(first: number, last: number): void {
    const { offset, lines } = this.lines.value;
    if (first >= offset && last <= offset + lines.length) return;
    const question = `${this.state.value?.version} ${first} ${last}`;
    if (question === this.#asked) return;
    this.#asked = question;
    this.post({ type: 'lines', offset: Math.max(0, first - spare), count: last - first + 2 * spare });
  }

  line(index: number): ShownLine | undefined {
    const { offset, lines } = this.lines.value;
    return lines[index - offset];
  }

  /** Returns the matches of the search text in a line: start and end offsets in turn. */
  marks(index: number): readonly number[] {
    const { offset, marks } = this.lines.value;
    return marks[index - offset] ?? [];
  }

  filterBy(text: string, level: LogLevel): void {
    batch(() => {
      this.filter.value = text;
      this.level.value = level;
    });
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.post({ type: 'filter', text, level }), rest);
    this.#keep({ filter: text, level });
  }

  find(text: string, backwards = false): void {
    const { from = 0, to = 0 } = this.state.value ?? {};
    const last = this.found.value;
    const again = text === this.wanted.value && last !== undefined && last >= from;
    this.wanted.value = text;
    const next = again ? last + (backwards ? -1 : 1) : backwards ? to - 1 : from;
    // Before the first line, continue with the last one.
    this.post({ type: 'find', text, from: next < from ? Math.max(from, to - 1) : next, backwards });
  }

  #receive(data: unknown): void {
    const message = parseHostToLog(data);
    switch (message?.type) {
      case 'opened':
        this.#open(message.log);
        break;
      case 'state':
        this.#stand(message);
        break;
      case 'lines':
        if (message.version === this.state.value?.version) this.lines.value = message;
        break;
      case 'found':
        this.#showFound(message);
        break;
      default:
    }
  }

  /** Shows another log from its beginning; the filter stays. */
  #open(log: LogAddress): void {
    const isOther = this.log.value !== undefined;
    this.log.value = log;
    this.#keep({ log });
    if (!isOther) return;
    this.lines.value = noLines;
    this.found.value = undefined;
    this.#asked = '';
    this.follows.value = true;
    const [text, level] = [this.filter.value, this.level.value];
    if (text !== '' || level !== 'debug') this.post({ type: 'filter', text, level });
  }

  #showFound({ version, index, problem }: Extract<HostToLog, { readonly type: 'found' }>): void {
    if (version !== this.state.value?.version) return;
    this.findProblem.value = problem;
    this.found.value = this.wanted.value === '' || problem !== '' ? undefined : (index ?? -1);
  }

  #stand(state: LogState): void {
    if (this.state.value?.version !== state.version) {
      this.lines.value = noLines;
      this.found.value = undefined;
      this.#asked = '';
    }
    this.state.value = state;
  }

  #keep(more: KeptLog): void {
    this.#kept = { ...this.#kept, ...more };
    this.#api.setState(this.#kept);
  }
}
