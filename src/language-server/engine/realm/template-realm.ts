import './lock-down.ts';
import type { TemplateQuestion } from '#model/templates/model-templates.ts';
import { removeNewGlobals } from './lock-down.ts';
import { render } from './render.ts';
import { serve } from './serve.ts';

/** The realm for templates only, which starts in a fraction of the compiler's time: it gets templates and returns texts. */
serve(async (question) => {
  try {
    return render(JSON.parse(question) as readonly TemplateQuestion[]);
  } finally {
    removeNewGlobals();
  }
});
