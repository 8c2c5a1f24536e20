import { closeRealm } from './lock-down.ts';

/** The content of a realm's answer, which is one JSON text. */
export type RealmAnswer =
  | { readonly ok: true; readonly value: unknown }
  /** The engine itself failed, which means nothing for the model. */
  | { readonly ok: false; readonly reason: string };

/**
 * Makes a realm answer questions: the host evaluates `modelbench.start("…")`, and then `modelbench.take()`. Only texts cross the
 * boundary. Called last, when everything that the realm needs is loaded.
 */
export function serve(answer: (question: string) => Promise<unknown>): void {
  let result = '';
  const start = (question: string): '' => {
    result = '';
    answer(question).then(
      (value) => {
        result = JSON.stringify({ ok: true, value } satisfies RealmAnswer);
      },
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : 'The engine failed.';
        result = JSON.stringify({ ok: false, reason } satisfies RealmAnswer);
      },
    );
    return '';
  };
  const value = Object.freeze({ start, take: () => result });
  Object.defineProperty(globalThis, 'modelbench', { value, writable: false, enumerable: false, configurable: false });
  closeRealm();
}
