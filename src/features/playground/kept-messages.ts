import type { PlaygroundMessage } from './messages.ts';

const kept = ['facts', 'failure', 'sql', 'preAggregations', 'comparison'] as const;
type Kept = (typeof kept)[number];

/**
 * The newest messages about an answer, for a page that VS Code made again: it discards the page of an editor that is hidden, also
 * while a comparison runs that can be cancelled there.
 */
export class KeptMessages {
  readonly #last = new Map<Kept, PlaygroundMessage>();

  /** Posts as `post` does, and keeps what a page needs after it was made again. */
  keeping<Message extends { readonly type: string }>(post: (message: Message) => void): (message: Message) => void {
    return (message) => {
      if (isKept(message)) this.#last.set(message.type, message);
      post(message);
    };
  }

  all(): readonly PlaygroundMessage[] {
    return [...this.#last.values()];
  }
}

function isKept(message: { readonly type: string }): message is Extract<PlaygroundMessage, { readonly type: Kept }> {
  return kept.some((type) => type === message.type);
}
