/** Returns a method of a built-in as it is before a model can change it; to be called with `call`. */
export function builtIn(owner: object, name: string): (...args: readonly never[]) => unknown {
  return Reflect.get(owner, name) as (...args: readonly never[]) => unknown;
}

const { apply } = Object.freeze({ apply: builtIn(Reflect, 'apply') as typeof Reflect.apply });

/** Calls such a method without using anything that a model may have changed. */
export const call = (
  method: (...args: readonly never[]) => unknown,
  self: unknown,
  args: readonly unknown[],
): unknown => apply(method, self, args);
