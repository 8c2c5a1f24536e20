import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import { addTemplate, createTemplateEnvironment } from './templates.ts';

/** The number of steps that one template may take: an endless loop stops at the same point on any machine. */
const FUEL = 3_000_000;

/** Renders templates of one model; returns the engine's error of those that it refuses. */
export function render(questions: readonly TemplateQuestion[]): TemplateAnswer {
  const marked = texts(questions.map(({ name, marked: source }) => ({ name, source })));
  const plain = texts(questions.map(({ name, plain: source }) => ({ name, source })));
  return questions.map((_, at) => {
    const one = marked[at];
    const other = plain[at];
    if (other && 'error' in other) return other;
    return one && other && 'text' in one ? { marked: one.text, plain: other.text } : null;
  });
}

type Output = { readonly text: string } | { readonly error: string };

function texts(templates: readonly { readonly name: string; readonly source: string }[]): readonly Output[] {
  const environment = createTemplateEnvironment();
  try {
    environment.fuel = FUEL;
    const refused = templates.map(({ name, source }) => errorOf(() => addTemplate(environment, name, source)));
    return templates.map(({ name }, at) => {
      let text = '';
      const error = refused[at] ?? errorOf(() => (text = environment.renderTemplate(name, {})));
      return error === undefined ? { text } : { error };
    });
  } finally {
    environment.free();
  }
}

/** Returns the engine's error of some work; undefined if it succeeds. */
function errorOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
