/**
 * Removes errors that only follow from others, so that one mistake has one message: the engine has no cube that it refused, so that one is missing for every cube
 * that uses it, and members whose group or name it refused are missing, too. If every error would go, all stay: then nothing else says why the model is refused.
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
  if (causes.length === 0) return errors;
  const isMissed = causes.some(({ message }) => losesMembers.test(message));
  return withoutSiblings(isMissed ? causes.filter(({ message }) => !missesMember.test(message)) : causes);
}

/**
 * Removes what the engine says of other keys of an item whose value it refuses: which keys an item can have depends on such a value,
 * for example on the type of a measure.
 */
function withoutSiblings<E extends { readonly message: string }>(errors: readonly E[]): readonly E[] {
  const refused = new Set(errors.flatMap(({ message }) => refusedValue.exec(message)?.[1] ?? []));
  return refused.size === 0 ? errors : errors.filter(({ message }) => !refused.has(judgedKey.exec(message)?.[1] ?? ''));
}

/** How the engine refuses a value that is not listed; the group is the item, with its cube. */
const refusedValue = /^((?:\w+ (?:cube|view): )?"[\w.[\]-]+)\.\w+" must be (?:one of )?\[/;
/** How it judges whether an item can have a key, or needs it. */
const judgedKey = /^((?:\w+ (?:cube|view): )?"[\w.[\]-]+)\.\w+" is (?:not allowed|required)/;

/** How the engine refuses a misspelt group of members, or a member without a usable name: whoever uses one then misses it. */
const losesMembers = /" is not allowed|isn't defined for/;
/** How it says that a member does not exist. */
const missesMember = /^(?:\w+ (?:cube|view): )?\w+ is not defined|\bMember '\w+' (?:is )?included in /;

/** Returns the name that the engine does not know, according to its message. */
function missingName(message: string): string | undefined {
  const [, cube, name] = /\bCube (\w+) doesn't exist|^(?:\w+ (?:cube|view): )?(\w+) is not defined/.exec(message) ?? [];
  return cube ?? name;
}
