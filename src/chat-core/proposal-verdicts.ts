import { asError } from '#base/async.ts';
import type { AskEngine, EngineVerdict } from './proposal-ports.ts';

/** Texts by path. */
export type ProposedTexts = ReadonlyMap<string, string>;

/** The state of a proposed text: the engine is checking it, or has given a verdict. */
export type KnownVerdict = EngineVerdict | { readonly state: 'checking' };

interface Asked {
  readonly texts: ProposedTexts;
  readonly answer: Promise<EngineVerdict>;
  /** Ends the check. */
  readonly stop: AbortController;
  known: KnownVerdict;
  /** The number of callers that wait for the verdict. */
  waiting: number;
}

/** The maximum number of checks that are remembered. */
const MOST = 20;

/**
 * Lets the engine check proposed texts, each set of texts once: when they are shown. The verdict is reused when they are
 * accepted. A check without a verdict may be repeated.
 */
export class ProposalVerdicts {
  readonly #ask: AskEngine | undefined;
  #asked: readonly Asked[] = [];

  constructor(ask: AskEngine | undefined) {
    this.#ask = ask;
  }

  /**
   * Resolves to the verdict on these texts; `undefined` without an engine. Reuses a verdict that is known or pending. A caller
   * that stops waiting leaves the check running for the others; the last one ends it.
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

  /** Whether {@link of} would resolve immediately. */
  isKnown(texts: ProposedTexts): boolean {
    const known = this.#find(texts)?.known.state;
    return !this.#ask || texts.size === 0 || known === 'accepted' || known === 'refused';
  }

  /** Returns the state of a file's text, from the newest check that included it. */
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

  /** Ends and forgets a check, so that a later call starts another one. */
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
