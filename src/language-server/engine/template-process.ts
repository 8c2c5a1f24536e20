import type { TemplateAnswer } from '#model/templates/model-templates.ts';
import type { TemplateEngine } from '../host.ts';
import { listIn } from './answers.ts';
import { type EngineOptions, open } from './engine-process.ts';

/** What a rendered file may have at most, in characters: a template of a few lines can make any number. */
const LONGEST = 1_000_000;

/** The platform's template engine in a sandbox of its own, beside the compiler's: it starts faster and never waits for it. */
export function templateProcess(options: EngineOptions): TemplateEngine {
  const sandbox = open({ limitMs: 10_000, heapMb: 256, ...options });
  return {
    render: async (templates) => listIn(await sandbox.ask(JSON.stringify(templates))).map(renderedIn),
  };
}

/** The answer comes from where templates run, so nothing of it is believed but its texts. */
function renderedIn(value: unknown): TemplateAnswer[number] {
  const { marked, plain } = Object(value) as { readonly marked?: unknown; readonly plain?: unknown };
  if (typeof marked !== 'string' || typeof plain !== 'string') return null;
  return plain.length > LONGEST ? null : { marked, plain };
}
