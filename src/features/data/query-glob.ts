/** The query files of a window, as `isQueryPath` knows them. */
export const queryGlob = '**/*.query.{yml,yaml}';
