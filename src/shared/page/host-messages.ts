import { batch } from '@preact/signals';
import { parseNumbered } from '#base/page-messages.ts';
import { firstPause, longerPause, posting, type VsCodeApi } from './vscode-api.ts';

/** After how many messages the page reports to the host, which stores them until then. */
const reportedAfter = 50;

interface PageEnd {
  readonly api: Pick<VsCodeApi, 'postMessage'>;
  readonly window: Pick<Window, 'addEventListener' | 'setTimeout' | 'clearTimeout'>;
  /** Returns the message to which the host replies with everything that the page shows. */
  readonly opening: () => object;
  /** Handles a message of the host, which is not validated yet. The page draws once for all its changes. */
  readonly take: (message: unknown) => void;
}

/**
 * Opens a page and passes the messages of its host to it, each once and in order, whatever is lost, doubled or late on the way
 * (`src/base/page-messages.ts`).
 */
export function receiving(end: PageEnd): void {
  const messages = new HostMessages(end);
  end.window.addEventListener('message', ({ data }: MessageEvent<unknown>) => messages.receive(data));
  messages.open();
}

class HostMessages {
  readonly #end: PageEnd;
  readonly #post: (message: unknown) => void;
  /** The id under which the page has opened. */
  #page = '';
  /** How many messages have arrived in a row. */
  #received = 0;
  /** What the host has sent to this page: nothing yet, or messages with or without numbers. */
  #heard: 'nothing' | 'numbered' | 'plain' = 'nothing';
  /** The number of received messages when the others were last requested because of a gap. */
  #requestedAt: number | undefined;
  #timer: number | undefined;

  constructor(end: PageEnd) {
    this.#end = end;
    this.#post = posting(end.api);
  }

  /** Opens the page under a new id, so that the host begins to count again. */
  open(): void {
    // `randomUUID` is missing where VS Code itself is served over plain HTTP.
    this.#page = crypto.getRandomValues(new Uint32Array(2)).join('-');
    this.#received = 0;
    this.#heard = 'nothing';
    this.#requestedAt = undefined;
    this.#ask();
    this.#askAfter(firstPause);
  }

  receive(data: unknown): void {
    const numbered = parseNumbered(data);
    if (numbered && numbered.page !== this.#page) return;
    this.#heard = numbered ? 'numbered' : 'plain';
    if (!numbered) this.#take(data);
    else if (numbered.number === 0) this.open();
    else if (numbered.number === this.#received + 1) {
      this.#received += 1;
      if (this.#received % reportedAfter === 0) this.#report();
      else this.#askAfter(firstPause);
      this.#take(numbered.message);
    } else if (numbered.number > this.#received) this.#requestRest();
  }

  #take(message: unknown): void {
    batch(() => this.#end.take(message));
  }

  /** Requests what a gap lacks; once, because each later message shows the same gap. */
  #requestRest(): void {
    if (this.#requestedAt === this.#received) return;
    this.#requestedAt = this.#received;
    this.#report();
  }

  #report(): void {
    this.#post({ page: this.#page, received: this.#received });
  }

  /** The opening may be lost, and so may the latest messages, after which no other one shows a gap. */
  #ask(): void {
    if (this.#heard === 'numbered') this.#report();
    else if (this.#heard === 'nothing') this.#post({ ...this.#end.opening(), page: this.#page });
  }

  #askAfter(pause: number): void {
    const { window } = this.#end;
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#ask();
      this.#askAfter(longerPause(pause));
    }, pause);
  }
}
