import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import type { EngineQuestion } from '#language-server/engine/messages.ts';
import { compile } from '#language-server/engine/realm/compile.ts';

/** The compiler without a sandbox: models run in contexts of its own process. The escape suite must detect it. */
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as { readonly kind: string; readonly code?: string; readonly question?: string };
  if (request.kind === 'script') runInThisContext(request.code ?? '');
  else process.stdout.write(`${JSON.stringify({ answer: await answer(request.question ?? '') })}\n`);
}

async function answer(question: string): Promise<string> {
  return JSON.stringify({ ok: true, value: await compile((JSON.parse(question) as EngineQuestion).files) });
}
