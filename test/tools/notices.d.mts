/** Returns the licence notices of the packages that the given bundled files come from. */
export function notices(inputs: Iterable<string>, root: string): string;
