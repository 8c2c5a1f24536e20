import { Buffer } from 'node:buffer';
import { readSync, writeSync } from 'node:fs';
import { constants, createContext, Script } from 'node:vm';
import { emptyHost } from './empty-host.ts';
import type { SandboxRequest, SandboxResponse } from './messages.ts';

/**
 * The process of a sandbox. It reads requests from its one pipe and never returns to the event loop, so the host never evaluates
 * what a model leaves behind (a rejected promise, a timer, a connection). Nothing of the host goes into the realm, and the host
 * touches only texts that come out of it.
 */
/** The longest answer, in characters. */
const LONGEST = 64 * 1024 * 1024;
// oxlint-disable-next-line typescript/unbound-method -- it is bound at each call, and must be read before the host is emptied
const { runInContext } = Script.prototype;
// `process.exit` runs handlers first, and Node's own code no longer works by then.
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);
// On Windows the system adds variables to an empty environment.
for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
emptyHost();
serve();

function serve(): never {
  const realm = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate', name: 'model' });
  const evaluate = (code: string, timeout?: number): unknown => {
    // Errors of the realm are not decorated, because that would read their properties.
    const options = timeout === undefined ? { displayErrors: false } : { displayErrors: false, timeout };
    return runInContext.call(new Script(code), realm, options);
  };
  for (const line of lines()) {
    const request = JSON.parse(line) as SandboxRequest;
    if (request.kind === 'script') evaluate(request.code);
    else respond(ask(evaluate, request));
  }
  return exit(0);
}

type Ask = Extract<SandboxRequest, { readonly kind: 'ask' }>;

/** Returns the text that the realm answers. What it throws is not touched, because it is an object of the realm. */
function ask(evaluate: (code: string, timeout?: number) => unknown, { question, limitMs }: Ask): string | undefined {
  try {
    // The server ends the process at the limit. This limit, a little later, applies if the server is gone.
    evaluate(`modelbench.start(${JSON.stringify(question)})`, limitMs + 5000);
    const answer = evaluate('modelbench.take()', 5000);
    return typeof answer === 'string' && answer !== '' && answer.length < LONGEST ? answer : undefined;
  } catch {
    return undefined;
  }
}

function respond(answer: string | undefined): void {
  const bytes = Buffer.from(`${JSON.stringify({ answer } satisfies SandboxResponse)}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

function* lines(): Generator<string> {
  const chunk = Buffer.alloc(1 << 20);
  let pending: Buffer[] = [];
  for (;;) {
    const read = readChunk(chunk);
    if (read === 0) return;
    let start = 0;
    for (let end = chunk.indexOf(10, start); end !== -1 && end < read; end = chunk.indexOf(10, start)) {
      pending.push(Buffer.from(chunk.subarray(start, end)));
      yield Buffer.concat(pending).toString();
      pending = [];
      start = end + 1;
    }
    if (start < read) pending.push(Buffer.from(chunk.subarray(start, read)));
  }
}

/** Reads from the pipe. A closed pipe counts as the end, whichever error the system reports. */
function readChunk(chunk: Buffer): number {
  try {
    return readSync(0, chunk);
  } catch {
    return 0;
  }
}
