import { ErrorCodes, ResponseError } from 'vscode-languageserver';

/**
 * How far a client has come with a server: the protocol allows requests and notifications only between `initialize` and `shutdown`,
 * and each of these two once.
 */
export class Lifecycle {
  #phase: 'new' | 'running' | 'ended' = 'new';

  /** Returns the error that answers a message now; undefined if it is allowed. `name`: of the handler, as in `onHover`. */
  refusal(name: string): ResponseError | undefined {
    switch (this.#phase) {
      case 'new':
        return name === 'onInitialize' ? undefined : new ResponseError(ErrorCodes.ServerNotInitialized, NOT_YET);
      case 'running':
        return name === 'onInitialize' ? new ResponseError(ErrorCodes.InvalidRequest, TWICE) : undefined;
      case 'ended':
        return new ResponseError(ErrorCodes.InvalidRequest, ENDED);
      default:
        return this.#phase;
    }
  }

  /** Notes that a handler is about to be called. */
  enter(name: string): void {
    if (name === 'onInitialize') this.#phase = 'running';
    else if (name === 'onShutdown') this.#phase = 'ended';
  }
}

const NOT_YET = 'The client must send “initialize” first.';
const TWICE = 'The client has sent “initialize” already.';
const ENDED = 'The client has shut this server down.';
