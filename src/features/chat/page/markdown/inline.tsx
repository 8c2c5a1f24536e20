import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { useActions } from '../view/actions.ts';
import { visible } from '#shared/page/visible.ts';
import { CodeSpan } from './code-span.tsx';
import { safeHref, unescaped } from './plain.ts';

/** Inline Markdown as elements. HTML stays text, images become their description: nothing is loaded. */
export function inline(tokens: readonly Token[] | undefined): ComponentChildren {
  return (tokens ?? []).map((token) => element(token));
}

function element(token: Token): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return <CodeSpan text={(token as Tokens.Codespan).text} />;
    case 'br':
      return <br />;
    case 'escape':
      return visible((token as Tokens.Escape).text);
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{inline(token.tokens)}</Link>;
    case 'image':
      return <Link href={(token as Tokens.Image).href}>{visible((token as Tokens.Image).text || 'image')}</Link>;
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : unescaped((token as Tokens.Text).text);
    default:
      return visible(token.raw);
  }
}

/** A link of an allowed kind, opened by the host; any other is shown as text with its address. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
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
  return (
    <a href={safe} title={visible(safe)} onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
