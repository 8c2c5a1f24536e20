/** Matches the query files of a window, as `isQueryPath` does. */
export const queryGlob = '**/*.query.{yml,yaml}';
