import { type NumberedMessage, openingPage, parseReceived } from '#base/page-messages.ts';

/** The most messages that wait until the page has them. A page that lacks more opens again. */
const mostWaiting = 200;

/** The host's messages to a page, which arrive in order and once, whatever is lost on the way (`src/base/page-messages.ts`). */
export class PagePosts {
  readonly #send: (message: NumberedMessage) => void;
  /** The id of the page that opened last. */
  #page: string | undefined;
  /** The ids of pages that opened earlier. */
  readonly #former = new Set<string>();
  #number = 0;
  /** The messages that the page may not have received. */
  #waiting: NumberedMessage[] = [];

  constructor(send: (message: NumberedMessage) => void) {
    this.#send = send;
  }

  /** Sends a message to the page. Before the page has opened there is nothing to send: it requests everything then. */
  post(message: unknown): void {
    if (this.#page === undefined) return;
    this.#number += 1;
    const numbered = { page: this.#page, number: this.#number, message };
    this.#waiting.push(numbered);
    if (this.#waiting.length > mostWaiting) this.#waiting.shift();
    this.#send(numbered);
  }

  /** Takes what the page posted; returns whether that was only about these messages, and not for the page's feature. */
  take(value: unknown): boolean {
    const received = parseReceived(value);
    if (received) {
      if (received.page === this.#page) this.#sendAgain(received.received);
      else this.#openAgain(received.page);
      return true;
    }
    const page = openingPage(value);
    if (page === undefined || page === this.#page) return false;
    // The numbers of an id that opened before were used already.
    if (this.#former.has(page)) {
      this.#openAgain(page);
      return true;
    }
    if (this.#page !== undefined) this.#former.add(this.#page);
    [this.#page, this.#number, this.#waiting] = [page, 0, []];
    return false;
  }

  /** Sends everything after the messages that the page has. */
  #sendAgain(received: number): void {
    this.#waiting = this.#waiting.filter(({ number }) => number > received);
    const first = this.#waiting[0]?.number ?? this.#number + 1;
    if (first > received + 1) this.#openAgain(this.#page ?? '');
    else for (const each of this.#waiting) this.#send(each);
  }

  /** Asks a page to open under another id. */
  #openAgain(page: string): void {
    this.#send({ page, number: 0, message: null });
  }
}
