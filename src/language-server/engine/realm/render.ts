import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import { openEnvironment } from './templates.ts';

/** Steps that one template may take: a loop that never ends is given up, on any machine at the same point. */
const FUEL = 3_000_000;

/** What templates of one model render to; null for those that the engine refuses. */
export function render(questions: readonly TemplateQuestion[]): TemplateAnswer {
  const marked = texts(questions.map(({ name, marked: source }) => ({ name, source })));
  const plain = texts(questions.map(({ name, plain: source }) => ({ name, source })));
  return questions.map((_, at) => {
    const one = marked[at];
    const other = plain[at];
    return one === undefined || other === undefined ? null : { marked: one, plain: other };
  });
}

function texts(
  templates: readonly { readonly name: string; readonly source: string }[],
): readonly (string | undefined)[] {
  const environment = openEnvironment();
  try {
    environment.fuel = FUEL;
    for (const { name, source } of templates) attempt(() => environment.addTemplate(name, source));
    return templates.map(({ name }) => attempt(() => environment.renderTemplate(name, {})));
  } finally {
    environment.free();
  }
}

/** What the engine refuses is reported by other checks. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
