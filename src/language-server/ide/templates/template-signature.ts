import type { SignatureHelp } from 'vscode-languageserver';
import { BUILT_IN_GLOBALS } from '#model/project/globals.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { templateBefore } from './jinja.ts';
import { calledMacro, parametersOf, splitArguments } from './template-calls.ts';
import { type TemplateCall, templatePosition } from './template-position.ts';

/** Returns the parameters of the macro or global function that a template calls around the cursor; `null` if they are unknown. */
export function templateSignature(opened: Opened, offset: number): SignatureHelp | null {
  const inside = templateBefore(opened, offset);
  const call = inside && templatePosition(inside.before, inside.isStatement).call;
  const parameters = call && parametersIn(call, opened, offset);
  if (!parameters) return null;
  const activeParameter = activeOf(call, parameters);
  const label = `${call.name}(${parameters.join(', ')})`;
  const signature = { label, parameters: parameters.map((parameter) => ({ label: parameter })) };
  return { signatures: [signature], activeSignature: 0, ...(activeParameter === undefined ? {} : { activeParameter }) };
}

function parametersIn(call: TemplateCall, { file, root }: Opened, offset: number): readonly string[] | undefined {
  const macro = calledMacro(call.name, file, offset, root.index);
  if (macro) return parametersOf(macro);
  const globals = [...(root.globals?.names ?? []), ...BUILT_IN_GLOBALS];
  const global = globals.find(({ name, kind }) => name === call.name && kind === 'function');
  return global?.parameters === undefined ? undefined : splitArguments(global.parameters);
}

/** Returns the index of the parameter that the argument at the cursor is for. */
function activeOf({ argument, current }: TemplateCall, parameters: readonly string[]): number | undefined {
  const at = current === undefined ? argument : parameters.findIndex((each) => /^\w+/.exec(each)?.[0] === current);
  return at >= 0 && at < parameters.length ? at : undefined;
}
