/** The directives that only some pages need. */
export type ContentSources = Readonly<
  Partial<Record<'script-src' | 'style-src' | 'font-src' | 'img-src' | 'worker-src', string>>
>;

/**
 * Returns the Content-Security-Policy of one of our pages, which allows only the given sources. No page may contain frames,
 * submit forms or change its base URL, whatever is injected into it.
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
