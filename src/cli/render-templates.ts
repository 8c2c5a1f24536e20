import { templateProcess } from '#language-server/engine/template-process.ts';
import type { ToolPorts } from '#tools/ports.ts';
import type { EnginePaths } from './compile-model.ts';

/** Renders templates with the template engine that the editor uses, in a process like the compiler's. */
export function templateRenderer({ program, renderer, templates }: EnginePaths): ToolPorts['render'] {
  const engine = templateProcess({ program, bundle: renderer, templates });
  return (questions) => engine.render(questions);
}
