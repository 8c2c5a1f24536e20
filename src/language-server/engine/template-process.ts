import type { TemplateAnswer } from '#model/templates/model-templates.ts';
import type { TemplateEngine } from '../host.ts';
import { listIn } from './answers.ts';
import { type EngineOptions, open } from './engine-process.ts';

/** The longest rendered file, in characters: a template of a few lines can produce any amount. */
const LONGEST = 1_000_000;
/** The longest error, in characters: it may quote the template. */
const LONGEST_ERROR = 2_000;

/**
 * Creates the platform's template engine in its own sandbox, separate from the compiler's: it starts faster and never waits for
 * the compiler.
 */
export function templateProcess(options: EngineOptions): TemplateEngine {
  const sandbox = open({ limitMs: 10_000, heapMb: 256, ...options });
  return {
    render: async (templates) => listIn(await sandbox.ask(JSON.stringify(templates))).map(renderedIn),
  };
}

/** The answer comes from the realm in which templates run, so only its texts are trusted. */
function renderedIn(value: unknown): TemplateAnswer[number] {
  const { marked, plain, error } = Object(value) as Readonly<Partial<Record<'marked' | 'plain' | 'error', unknown>>>;
  if (typeof error === 'string') return { error: error.slice(0, LONGEST_ERROR) };
  if (typeof marked !== 'string' || typeof plain !== 'string') return null;
  return plain.length > LONGEST ? null : { marked, plain };
}
