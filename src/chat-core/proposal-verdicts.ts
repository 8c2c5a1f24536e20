import { asError } from '#base/async.ts';
import type { AskEngine, EngineVerdict } from './proposal-ports.ts';

/** Texts by path. */
export type ProposedTexts = ReadonlyMap<string, string>;

/** What is known of a proposed text: the engine is at it, or has judged it. */
export type KnownVerdict = EngineVerdict | { readonly state: 'checking' };

interface Asked {
  readonly texts: ProposedTexts;
  readonly answer: Promise<EngineVerdict>;
  /** Ends the check. */
  readonly stop: AbortController;
  known: KnownVerdict;
  /** How many wait for the answer. */
  waiting: number;
}

/** Checks that were asked for, newest last. */
const MOST = 20;

/**
 * Has the engine judge proposed texts, each set of texts once: it is asked when they are shown, and what it said still counts
 * when they are accepted. A check that gave no verdict may be repeated.
 */
export class ProposalVerdicts {
  readonly #ask: AskEngine | undefined;
  #asked: readonly Asked[] = [];

  constructor(ask: AskEngine | undefined) {
    this.#ask = ask;
  }

  /**
   * `undefined` where there is no engine. A verdict that is known, or on its way, is not asked for again. A caller that
   * stops waiting leaves the check running for the others; the last one ends it.
   */
  async of(texts: ProposedTexts, signal?: AbortSignal): Promise<EngineVerdict | 'cancelled' | undefined> {
    if (!this.#ask || texts.size === 0) return undefined;
    const asked = this.#find(texts) ?? this.#begin(texts);
    asked.waiting += 1;
    const verdict = await (signal ? abortable(asked.answer, signal) : asked.answer);
    asked.waiting -= 1;
    if (asked.waiting === 0 && asked.known.state === 'checking') this.#giveUp(asked);
    return verdict;
  }

  /** Whether {@link of} would answer at once. */
  isKnown(texts: ProposedTexts): boolean {
    const known = this.#find(texts)?.known.state;
    return !this.#ask || texts.size === 0 || known === 'accepted' || known === 'refused';
  }

  /** What is known of the text of one file, from the newest check that it was part of. */
  known(path: string, text: string): KnownVerdict | undefined {
    return this.#asked.findLast(({ texts }) => texts.get(path) === text)?.known;
  }

  #find(texts: ProposedTexts): Asked | undefined {
    return this.#asked.findLast((other) => isSame(other.texts, texts) && other.known.state !== 'unknown');
  }

  #begin(texts: ProposedTexts): Asked {
    const changes = [...texts].map(([path, text]) => ({ path, text }));
    const stop = new AbortController();
    const answer = Promise.resolve(this.#ask?.(changes, stop.signal) ?? nothing).catch(
      (error: unknown): EngineVerdict => ({
        state: 'unknown',
        reason: asError(error).message,
      }),
    );
    const asked: Asked = { texts, answer, stop, known: { state: 'checking' }, waiting: 0 };
    this.#asked = [...this.#asked, asked].slice(-MOST);
    void answer.then((verdict) => (asked.known = verdict));
    return asked;
  }

  /** A later call starts another check. */
  #giveUp(asked: Asked): void {
    this.#asked = this.#asked.filter((other) => other !== asked);
    asked.stop.abort();
  }
}

const nothing: EngineVerdict = { state: 'unknown', reason: 'The engine is not available here.' };

function isSame(a: ProposedTexts, b: ProposedTexts): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

function abortable(answer: Promise<EngineVerdict>, signal: AbortSignal): Promise<EngineVerdict | 'cancelled'> {
  if (signal.aborted) return Promise.resolve('cancelled');
  const aborted = new Promise<'cancelled'>((resolve) => {
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });
  return Promise.race([aborted, answer]);
}
