import { LogBook } from '#features/logs/log-book.ts';
import { logRows } from '#features/logs/log-rows.ts';
import { followLog } from '#features/logs/log-tail.ts';
import { systemClock } from '#base/clock.ts';
import { watchdog } from '#features/logs/vscode/bounded.ts';
import type { Figure } from '../figures.ts';

const mebibyte = 1024 * 1024;
/** What a socket hands over at once. */
const chunkBytes = 64 * 1024;
/** Rows of one moment come again with each look. */
const rowsASecond = 66_000;

/** Characters of time, pod and container before a message. */
const lineHead = 46;

/** A log that grows by 10 MB in every second of its own time, taken in and filtered as the log view does. */
export async function logFigures(quick: boolean): Promise<readonly Figure[]> {
  const size = (quick ? 5 : 50) * mebibyte;
  const answers = answersOf(size);
  const ended = new AbortController();
  const ask = async function* () {
    yield* logRows(chunksOf(answers.shift() ?? '[]'));
  };
  const book = new LogBook(undefined, watchdog());
  book.filter({ pattern: /orders by month/, level: 'info' });
  let taken = 0;
  const cpu = process.cpuUsage();
  const clock = { ...systemClock, now: () => systemClock.now(), sleep: () => Promise.resolve() };
  const turns = new Turns();
  for await (const news of followLog(ask, clock, ended.signal)) {
    if (news.kind !== 'rows') throw new Error('rows are missing');
    book.append(news.rows);
    while (book.scan() === 'more');
    taken += news.rows.reduce((sum, { message }) => sum + message.length + lineHead, 0);
    if (answers.length === 0) ended.abort();
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (user + system) / 1_000_000;
  const block = turns.end();
  const rate = Math.round((taken / mebibyte / seconds) * 10) / 10;
  return [
    {
      id: `log of ${size / mebibyte} MB: longest turn of the host (CPU)`,
      value: block,
      unit: 'ms',
      reach: 50,
      ok: block <= 50,
    },
    { id: `log of ${size / mebibyte} MB: a CPU second takes`, value: rate, unit: 'MB', reach: 10, ok: rate >= 10 },
  ];
}

/** Answers of a quarter of a second each, as the follower asks while there is much. */
function answersOf(size: number): string[] {
  const rowsAnAnswer = rowsASecond / 4;
  const answers: string[] = [];
  let bytes = 0;
  let number = 0;
  while (bytes < size) {
    const rows = Array.from({ length: rowsAnAnswer }, () => {
      number += 1;
      return {
        date: new Date(1_700_000_000_000 + number).toISOString(),
        pod: 'shop-api-7f9c',
        container: 'MAIN',
        message: `{"level":"info","message":"Query completed","duration":${number % 900},"queryKey":"orders by month ${number}"}`,
      };
    });
    const answer = JSON.stringify(rows);
    bytes += answer.length;
    answers.push(answer);
  }
  return answers;
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    // A socket's next part comes with a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, at + chunkBytes);
  }
}

/** The longest turn of the event loop by its CPU time: what a busy machine takes away is not the log view's. */
class Turns {
  #longest = 0;
  #last = process.cpuUsage();
  #ended = false;

  constructor() {
    setImmediate(this.#turn);
  }

  /** Milliseconds. */
  end(): number {
    this.#ended = true;
    return Math.round(this.#longest / 10) / 100;
  }

  readonly #turn = (): void => {
    if (this.#ended) return;
    const { user, system } = process.cpuUsage(this.#last);
    this.#longest = Math.max(this.#longest, user + system);
    this.#last = process.cpuUsage();
    setImmediate(this.#turn);
  };
}
