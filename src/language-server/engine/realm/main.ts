import './lock-down.ts';
import type { EngineQuestion } from '../messages.ts';
import { compile } from './compile.ts';
import { removeNewGlobals } from './lock-down.ts';
import { answerQuery } from './query.ts';
import { serve } from './serve.ts';

/** The realm of the language server: it gets a model's files and returns the engine's errors, or the result of a query. */
serve(async (question) => {
  try {
    const asked = JSON.parse(question) as EngineQuestion;
    return asked.kind === 'check' ? await compile(asked.files) : await answerQuery(asked);
  } finally {
    removeNewGlobals();
  }
});
