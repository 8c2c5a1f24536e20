/**
 * Removes errors that only follow from others: the engine has no cube that it refused, so that one is missing for every cube
 * that uses it. If every error would go, all stay: then nothing else says why the model is refused.
 * @param isDeclared Whether the model has a cube or view of this name, refused or not.
 */
export function withoutFollowing<E extends { readonly message: string }>(
  errors: readonly E[],
  isDeclared: (name: string) => boolean,
): readonly E[] {
  const causes = errors.filter(({ message }) => {
    const name = missingName(message);
    return name === undefined || !isDeclared(name);
  });
  return causes.length > 0 ? causes : errors;
}

/** Returns the name that the engine does not know, according to its message. */
function missingName(message: string): string | undefined {
  const [, cube, name] = /\bCube (\w+) doesn't exist|^(?:\w+ (?:cube|view): )?(\w+) is not defined/.exec(message) ?? [];
  return cube ?? name;
}
