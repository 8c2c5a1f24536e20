import './lock-down.ts';
import type { EngineFile } from '../messages.ts';
import { compile } from './compile.ts';
import { removeNewGlobals } from './lock-down.ts';
import { serve } from './serve.ts';

/** The realm of the language server: a model's files in, what the engine refuses out. */
serve(async (question) => {
  try {
    return await compile(JSON.parse(question) as readonly EngineFile[]);
  } finally {
    removeNewGlobals();
  }
});
