/** Returns the code of a system error, such as `ENOENT`; an empty string for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
