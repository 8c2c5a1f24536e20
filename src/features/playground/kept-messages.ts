import type { PlaygroundMessage } from './messages.ts';

const kept = ['facts', 'failure', 'sql', 'preAggregations', 'comparison'] as const;
type Kept = (typeof kept)[number];

/**
 * The latest messages about an answer, for a page that VS Code rebuilds: it discards the page of a hidden editor, even during a
 * comparison that the page can cancel.
 */
export class KeptMessages {
  readonly #last = new Map<Kept, PlaygroundMessage>();

  /** Returns a function that calls `post` and stores what a rebuilt page needs. */
  keeping<Message extends { readonly type: string }>(post: (message: Message) => void): (message: Message) => void {
    return (message) => {
      if (isKept(message)) this.#last.set(message.type, message);
      post(message);
    };
  }

  /** Passes the SQL that the query is compiled to, if there is any. */
  async withSql(use: (sql: string) => Promise<void>): Promise<void> {
    const sql = this.#last.get('sql');
    if (sql?.type === 'sql' && sql.phase === 'ready') await use(sql.text);
  }

  all(): readonly PlaygroundMessage[] {
    return [...this.#last.values()];
  }
}

function isKept(message: { readonly type: string }): message is Extract<PlaygroundMessage, { readonly type: Kept }> {
  return kept.some((type) => type === message.type);
}
