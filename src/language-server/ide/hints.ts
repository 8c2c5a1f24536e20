import {
  type InlayHint,
  InlayHintKind,
  type MarkupContent,
  type ParameterInformation,
  type Range,
  type SignatureHelp,
} from 'vscode-languageserver';
import { cardinality } from '#model/graph.ts';
import type { ModelIndex } from '#model/index.ts';
import { textIn } from '#model/locate.ts';
import { resolve } from '#model/resolve.ts';
import { type EntitySymbol, symbolsOf } from '#model/symbols.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import { templateSignature } from '#language-server/ide/templates/template-signature.ts';

/** Returns the type after each reference, and after a join path the cardinality of each of its joins. */
export function inlayHints({ file, root: { index }, positions }: Opened, range: Range): InlayHint[] {
  const from = positions.offsetAt(range.start);
  const to = positions.offsetAt(range.end);
  const hints: InlayHint[] = [];
  for (const { chunk, start } of file.chunks) {
    if (start > to || start + chunk.text.length < from) continue;
    for (const entity of symbolsOf(chunk)) {
      for (const reference of entity.references) {
        const at = start + reference.end;
        if (at < from || at > to || reference.form === 'sql') continue;
        const label = hintOf(reference, entity, index);
        if (label !== undefined)
          hints.push({
            position: positions.positionAt(at),
            label: `: ${label}`,
            kind: InlayHintKind.Type,
            paddingLeft: false,
          });
      }
    }
  }
  return hints;
}

function hintOf(
  reference: EntitySymbol['references'][number],
  entity: EntitySymbol,
  index: ModelIndex,
): string | undefined {
  const { referents } = resolve(reference, entity, index);
  const last = referents.at(-1);
  if (last?.is === 'member')
    return (
      [last.member.member.text('type'), last.member.member.text('format')]
        .filter((word) => word !== undefined)
        .join(' ') || undefined
    );
  if (reference.target !== 'joinPath' || referents.length < 2) return undefined;
  const steps = referents.flatMap((referent, at) => {
    const before = referents[at - 1];
    const join =
      before?.is === 'entity' && referent.is === 'entity'
        ? before.entity.joins.find(({ name }) => name === referent.entity.name)
        : undefined;
    return join ? cardinality(join) : [];
  });
  return steps.length > 0 ? steps.join(' → ') : undefined;
}

interface Signature {
  readonly label: string;
  readonly documentation: MarkupContent;
  readonly parameters: ParameterInformation[];
}

const SIGNATURES: readonly (readonly [RegExp, Signature])[] = [
  [
    /FILTER_PARAMS\.[\w.]+\.filter\($/,
    {
      label: 'filter(column: \'sql\' | lambda x, y: f"…")',
      documentation: {
        kind: 'markdown',
        value: 'The filter of the query on this member as a condition on a column, or `1 = 1` when the query has none.',
      },
      parameters: [
        {
          label: 'column: \'sql\' | lambda x, y: f"…"',
          documentation: 'A column or expression as text, or a function of the filter values.',
        },
      ],
    },
  ],
  [
    /(?:SECURITY_CONTEXT|security_context|securityContext)[\w.]*\.(?:filter|requiredFilter)\($/,
    {
      label: "filter(column: 'sql')",
      documentation: { kind: 'markdown', value: 'The value of the security context as a condition on a column.' },
      parameters: [{ label: "column: 'sql'" }],
    },
  ],
  [
    /SQL_UTILS\.convertTz\($/,
    {
      label: 'convertTz(column)',
      documentation: { kind: 'markdown', value: 'The column in the time zone of the query.' },
      parameters: [{ label: 'column' }],
    },
  ],
];

/** Returns help while the user types the arguments of a macro, a global function of templates, or a context function. */
export function signatureHelp(opened: Opened, offset: number): SignatureHelp | null {
  return templateSignature(opened, offset) ?? contextSignature(opened, offset);
}

function contextSignature({ file }: Opened, offset: number): SignatureHelp | null {
  const before = textIn(file, Math.max(0, offset - 300), offset);
  for (let at = before.length; at > 0; at--) {
    const char = before[at - 1];
    if (char === ')' || char === '\n') return null;
    if (char !== '(') continue;
    const call = before.slice(0, at);
    const known = SIGNATURES.find(([pattern]) => pattern.test(call));
    if (known) return { signatures: [known[1]], activeSignature: 0, activeParameter: 0 };
  }
  return null;
}
