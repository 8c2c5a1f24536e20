import type { FunctionExpression, MethodDefinition } from 'acorn';
import type { ClassValue, Evaluation, Scope } from './value.ts';

interface Accessor {
  readonly node: FunctionExpression;
  readonly scope: Scope;
}

/** Returns a method or an accessor of the instances of a class, which it may inherit. */
export function accessorOf(
  made: ClassValue | undefined,
  key: string,
  kind: MethodDefinition['kind'],
  evaluation: Evaluation,
): Accessor | undefined {
  for (let each = made; each; each = each.parent) {
    const { node, scope } = each;
    const found = node.body.body.findLast(
      (item) =>
        item.type === 'MethodDefinition' && !item.static && item.kind === kind && isKey(item, key, scope, evaluation),
    );
    if (found?.type === 'MethodDefinition') return { node: found.value, scope };
  }
  return undefined;
}

/** Checks whether an instance may have more than its classes show, because one of them is not known. */
export function isOfUnknown(made: ClassValue): boolean {
  return (
    made.node.superClass !== null && made.node.superClass !== undefined && (!made.parent || isOfUnknown(made.parent))
  );
}

function isKey({ key, computed }: MethodDefinition, name: string, scope: Scope, evaluation: Evaluation): boolean {
  if (key.type === 'PrivateIdentifier') return `#${key.name}` === name;
  if (!computed) return key.type === 'Identifier' ? key.name === name : key.type === 'Literal' && key.value === name;
  const value = evaluation.value(key, scope);
  return value.is === 'primitive' && String(value.value) === name;
}
