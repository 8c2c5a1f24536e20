import { createContext, runInContext } from 'node:vm';
import { createInterface } from 'node:readline';

/**
 * A deliberately weak sandbox: the same realm with one function of the host passed in, in a process with all rights. The escape
 * suite must detect it, which proves that the suite can fail.
 */
const realm = createContext({ host: () => 1 }, { microtaskMode: 'afterEvaluate' });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as { readonly kind: string; readonly code?: string; readonly question?: string };
  if (request.kind === 'script') runInContext(request.code ?? '', realm);
  else {
    runInContext(`modelbench.start(${JSON.stringify(request.question)})`, realm);
    process.stdout.write(`${JSON.stringify({ answer: runInContext('modelbench.take()', realm) as string })}\n`);
  }
}
