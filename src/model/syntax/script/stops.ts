/** Thrown when a script would run too long; the caller then knows nothing of its values. */
export class TooManySteps extends Error {}

/** Thrown at code that may have effects which are not known: whatever runs after it could only be guessed. */
export class Unfaithful extends TooManySteps {}
