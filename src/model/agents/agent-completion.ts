import { lineAt } from '#model/cursor/cursor-path.ts';
import { flowPosition } from '#model/cursor/flow-position.ts';
import type { AgentNames, KnownViews } from './check-agent-files.ts';
import { agentShapes, type AgentShape, type AgentType } from './agent-shapes.ts';

/** An item that may be added to a YAML file below `agents/`. */
export interface AgentItem {
  readonly label: string;
  readonly kind: 'key' | 'value';
  readonly doc: string | undefined;
  /** The text to insert, including what must follow a key. */
  readonly insert: string;
}

/**
 * Returns the items that may be written at an offset, judged by indentation alone, and the start of the word that they replace.
 */
export function agentCompletion(
  text: string,
  offset: number,
  { names, views }: { readonly names: AgentNames; readonly views: KnownViews },
): { readonly wordStart: number; readonly items: readonly AgentItem[] } {
  const { line, isValue, path, siblings, start } = lineAt(text, offset);
  const type = typeAt(path);
  const flow = flowPosition(text.slice(start, offset), type, { item: itemType, value: valueType });
  if (flow) {
    const shape = flow.isKey ? shapeOf(flow.around) : undefined;
    const keys = shape ? keysOf(shape, new Set(flow.siblings.keys())) : [];
    const inFlow = keys.map((item) => ({ ...item, insert: `${item.label}: ` }));
    return { wordStart: start + flow.wordStart, items: [...inFlow, ...valuesOf(flow.value, names, views)] };
  }
  const quote = /["']/.test(text[start] ?? '') ? 1 : 0;
  const wordStart = Math.min(start + quote, offset);
  const shape = isValue ? undefined : shapeOf(type);
  const values = isValue || line.dashes.length > 0 ? valuesOf(type, names, views) : [];
  return { wordStart, items: [...(shape ? keysOf(shape, new Set(siblings.keys())) : []), ...values] };
}

function typeAt(path: readonly string[]): AgentType | undefined {
  let type: AgentType | undefined = { is: 'map', shape: 'file' };
  for (const step of path) type = type && (step === '-' ? itemType(type) : valueType(type, step));
  return type;
}

function itemType(type: AgentType): AgentType | undefined {
  return type.is === 'list' ? type.of : undefined;
}

function valueType(type: AgentType, key: string): AgentType | undefined {
  const keys = shapeOf(type)?.keys;
  return keys && Object.hasOwn(keys, key) ? keys[key]?.type : undefined;
}

function shapeOf(type: AgentType | undefined): AgentShape | undefined {
  return type?.is === 'map' || type?.is === 'either' ? agentShapes[type.shape] : undefined;
}

function keysOf({ keys }: AgentShape, siblings: ReadonlySet<string>): readonly AgentItem[] {
  return Object.entries(keys).flatMap(([label, { type, doc }]): AgentItem[] => {
    if (siblings.has(label)) return [];
    const behind = type.is === 'list' ? ':\n  - ' : type.is === 'map' ? ':\n  ' : ': ';
    return [{ label, kind: 'key', doc, insert: label + behind }];
  });
}

function valuesOf(type: AgentType | undefined, names: AgentNames, views: KnownViews): readonly AgentItem[] {
  const items = (labels: Iterable<string>): readonly AgentItem[] =>
    [...labels].map((label) => ({ label, kind: 'value', doc: undefined, insert: label }));
  switch (type?.is) {
    case 'choice':
      return items(type.choices);
    case 'either':
      return valuesOf(type.text, names, views);
    case 'view':
      return items(views ?? []);
    case 'space':
      return items(names.spaces);
    case 'certifiedQuery':
      return items(names.certifiedQueries);
    default:
      return [];
  }
}
