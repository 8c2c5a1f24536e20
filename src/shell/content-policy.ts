/** Directives that only some pages need. */
export type ContentSources = Readonly<
  Partial<Record<'script-src' | 'style-src' | 'font-src' | 'img-src' | 'worker-src', string>>
>;

/**
 * The Content-Security-Policy of a page of ours: nothing but the given sources. No page has frames or sends forms, whatever
 * gets into it, and none resolves its addresses against another base.
 */
export function contentPolicy(sources: ContentSources): string {
  const directives = {
    'default-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-src': "'none'",
    ...sources,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
