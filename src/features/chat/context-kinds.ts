/** The kinds of what the user has open and can attach to a question. */
export const contextKinds = ['file', 'selection', 'problems', 'changes', 'build', 'query'] as const;
