import type { Environment } from './evaluate.ts';

const LINE = /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*("(?:\\.|[^"\\])*"|'[^']*'|`[^`]*`|[^\r\n]*)/gm;

/** Reads the variables of a `.env` file, the last of each name. Linear in the text; never throws. */
export function environmentOf(text: string): Environment {
  return new Map([...text.matchAll(LINE)].map(([, name = '', value = '']) => [name, valueOf(value)]));
}

function valueOf(written: string): string {
  const [, , quoted] = /^(["'`])(.*)\1$/s.exec(written) ?? [];
  return quoted ?? written.replace(/(?:^|[ \t])#.*$/, '').trim();
}
