import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useActions } from '../view/actions.ts';
import { visible } from '#shared/page/visible.ts';
import { CodeSpan } from './code-span.tsx';
import { safeHref, unescaped, unexpectedHost } from './plain.ts';

/** Renders inline Markdown as elements. HTML stays text and images become their description, so nothing is loaded. */
export function inline(tokens: readonly Token[] | undefined, depth = 0): ComponentChildren {
  return (tokens ?? []).map((token) => (depth > MOST_NESTED ? visible(token.raw) : element(token, depth + 1)));
}

/** The deepest nesting of emphasis and links that is rendered as such. */
const MOST_NESTED = 24;

function element(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return <CodeSpan text={(token as Tokens.Codespan).text} />;
    case 'br':
      return <br />;
    case 'escape':
      return visible((token as Tokens.Escape).text);
    case 'link':
      return linkOf(token as Tokens.Link, inline(token.tokens, depth));
    case 'image':
      return linkOf(token as Tokens.Image, visible((token as Tokens.Image).text || 'image'));
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens, depth) : unescaped((token as Tokens.Text).text);
    default:
      return visible(token.raw);
  }
}

function linkOf({ href, text }: Tokens.Link | Tokens.Image, children: ComponentChildren): ComponentChildren {
  return (
    <Link href={href} name={text}>
      {children}
    </Link>
  );
}

interface LinkProps {
  readonly href: string;
  /** The visible text of the link. */
  readonly name: string;
  readonly children: ComponentChildren;
}

/**
 * A link of an allowed kind, which the host opens; any other is shown as text with its address. If the text looks like the
 * address of another host, or the host may be mistaken for another one, the host is shown after the link.
 */
function Link({ href, name, children }: LinkProps) {
  const { openLink } = useActions();
  const safe = safeHref(href);
  if (safe === undefined) {
    return (
      <span class="dead-link">
        {children} ({visible(href)})
      </span>
    );
  }
  const open = (event: Event): void => {
    event.preventDefault();
    openLink(safe);
  };
  const host = unexpectedHost(safe, name);
  return (
    <>
      <a href={safe} title={visible(safe)} onClick={open} onAuxClick={open}>
        {children}
      </a>
      {host !== undefined && <span class="link-host"> ({visible(host)})</span>}
    </>
  );
}
