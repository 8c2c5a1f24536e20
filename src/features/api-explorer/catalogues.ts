import type { AccountClients } from '#api/client/client.ts';
import { readDescription } from '#api/description/capabilities.ts';
import { SingleFlight } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import { type Catalogue, catalogueOf } from './catalogue.ts';

/** The operations of each account's server. A server's description is read once, and again on request. */
export class Catalogues implements Disposable {
  readonly #data: AccountClients;
  readonly #known = new Map<string, Catalogue>();
  readonly #reading = new Map<string, SingleFlight<Catalogue>>();
  readonly #changed = new Emitter<void>();
  readonly #ended = new AbortController();

  constructor(data: AccountClients) {
    this.#data = data;
  }

  readonly onDidChange: Event<void> = this.#changed.event;

  /** Returns the catalogue as known now: the documented operations until the server's description was read. */
  now(accountId: string | undefined): Catalogue {
    this.#changed.track();
    return (accountId === undefined ? undefined : this.#known.get(accountId)) ?? documented();
  }

  /** Reads the description unless it was read before. A server without one still offers the documented operations. */
  async get(accountId: string): Promise<Catalogue> {
    return this.#known.get(accountId) ?? this.reload(accountId);
  }

  /** Reads the description again. Rejects if the server cannot be reached; the catalogue then stays unchanged. */
  async reload(accountId: string): Promise<Catalogue> {
    const flight = this.#reading.get(accountId) ?? new SingleFlight<Catalogue>();
    this.#reading.set(accountId, flight);
    return flight.run(async () => {
      const catalogue = catalogueOf(await readDescription(this.#data.client(accountId), this.#ended.signal));
      this.#known.set(accountId, catalogue);
      this.#changed.fire();
      return catalogue;
    });
  }

  dispose(): void {
    this.#ended.abort();
    this.#changed.dispose();
  }
}

let known: Catalogue | undefined;

function documented(): Catalogue {
  known ??= catalogueOf();
  return known;
}
