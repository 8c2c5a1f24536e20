import type { TemplateAnswer, TemplateQuestion } from '#model/templates/model-templates.ts';
import { addTemplate, createTemplateEnvironment } from './templates.ts';

/** The number of steps that one template may take: an endless loop stops at the same point on any machine. */
const FUEL = 3_000_000;

/** Renders templates of one model; returns `null` for those that the engine refuses. */
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
  const environment = createTemplateEnvironment();
  try {
    environment.fuel = FUEL;
    for (const { name, source } of templates) attempt(() => addTemplate(environment, name, source));
    return templates.map(({ name }) => attempt(() => environment.renderTemplate(name, {})));
  } finally {
    environment.free();
  }
}

/** Returns `undefined` if the engine throws; other checks report its errors. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
