import './lock-down.ts';
import './parsed-imports.ts';
import type { EngineQuestion } from '../messages.ts';
import { compile } from './compile.ts';
import { removeNewGlobals } from './lock-down.ts';
import { answerQuery } from './query.ts';
import { serve } from './serve.ts';

/** The realm of the language server: it gets a model's files and returns the engine's errors, or the result of a query. */
serve(async (question) => {
  try {
    const parsed = JSON.parse(question) as EngineQuestion;
    return parsed.kind === 'check' ? await compile(parsed.files) : await answerQuery(parsed);
  } finally {
    removeNewGlobals();
  }
});
