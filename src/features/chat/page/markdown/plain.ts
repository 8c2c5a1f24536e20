import { own } from '#base/own.ts';
import { visible } from '#shared/page/visible.ts';

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u{a0}',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  times: '×',
  rarr: '→',
};

/** Resolves the character references of Markdown text. */
export function unescaped(text: string): string {
  return visible(
    text.replace(
      /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
      (whole, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return own(NAMED, name) ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
      },
    ),
  );
}

/** Returns the address if it may be opened, otherwise `undefined`. A user name before the host could pass for another host. */
export function safeHref(href: string): string | undefined {
  const url = addressOf(href);
  const isAllowed = url && ['http:', 'https:', 'mailto:'].includes(url.protocol) && url.username + url.password === '';
  return isAllowed ? url.href : undefined;
}

/** Returns the host of an address if the link text names another host, or if the host has letters of other scripts. */
export function unexpectedHost(href: string, name: string): string | undefined {
  const url = addressOf(href);
  if (!url || url.host === '') return undefined;
  const words = unescaped(name).trim();
  const named = /^(?:https?:\/\/)?((?:[^\s/?#@:.]+\.)+[^\s/?#@:.]{2,})(?::\d+)?(?:[/?#]\S*)?$/i.exec(words)?.[1];
  const isOther = named !== undefined && addressOf(`https://${named}`)?.hostname !== url.hostname;
  return isOther || /(?:^|\.)xn--/.test(url.hostname) ? url.host : undefined;
}

function addressOf(href: string): URL | undefined {
  return URL.canParse(href) ? new URL(href) : undefined;
}
