import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { CodeBlock } from '../view/code-block.tsx';
import { type Block, BlockLexer } from './blocks.ts';
import { inline } from './inline.tsx';
import { visible } from '#shared/page/visible.ts';

/** Limits for a Markdown table; a larger one is a mistake of the agent and would freeze the view. */
const MOST_ROWS = 500;
const MOST_COLUMNS = 60;
const MOST_CELLS = 8_000;
/**
 * The deepest nesting of lists and quotations that is rendered as such: a browser takes minutes to lay out a thousand of them.
 */
const MOST_NESTED = 24;

/** Renders Markdown that may still grow; only its last block renders again as it does. */
export function Markdown({ text, complete }: { readonly text: string; readonly complete: boolean }) {
  const lexer = useRef<BlockLexer>(null);
  lexer.current ??= new BlockLexer();
  const blocks = lexer.current.update(text, complete);
  const last = blocks.at(-1);
  const levels = headingLevels(blocks);
  return (
    <div class="markdown">
      {blocks.map((block, at) => (
        <BlockView key={block.key} block={block} open={!complete && block === last} level={levels[at] ?? OUTER_LEVEL} />
      ))}
    </div>
  );
}

/** The level of the question above an answer. */
const OUTER_LEVEL = 2;
const DEEPEST_LEVEL = 6;

/**
 * Returns the level of each block's heading, or of the heading above it. Screen readers need levels without gaps, while agents begin
 * with any: a heading is one level below the nearest one before it that has fewer marks.
 */
function headingLevels(blocks: readonly Block[]): readonly number[] {
  const above: number[] = [];
  return blocks.map(({ token }) => {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading;
      while ((above.at(-1) ?? 0) >= depth) above.pop();
      above.push(depth);
    }
    return Math.min(DEEPEST_LEVEL, OUTER_LEVEL + above.length);
  });
}

interface BlockProps {
  readonly block: Block;
  /** Whether the block still grows; its code is highlighted once it no longer does. */
  readonly open: boolean;
  readonly level: number;
}

const BlockView = memo(
  ({ block, open, level }: BlockProps) => <>{blockElement(block.token, { open, depth: 0, level })}</>,
  (before, now) => before.block === now.block && before.open === now.open && before.level === now.level,
);

interface Place {
  /** Whether the block still grows. */
  readonly open: boolean;
  /** The number of lists and quotations around the block. */
  readonly depth: number;
  /** The level of a heading here. */
  readonly level: number;
}

function blockElement(token: Token, place: Place): ComponentChildren {
  if (place.depth > MOST_NESTED) return <p>{visible(token.raw)}</p>;
  switch (token.type) {
    case 'heading':
      return <Heading token={token as Tokens.Heading} level={place.level} />;
    case 'paragraph':
      return <p dir="auto">{inline(token.tokens)}</p>;
    case 'code':
      return (
        <CodeBlock code={(token as Tokens.Code).text} language={languageOf(token as Tokens.Code)} open={place.open} />
      );
    case 'list':
      return <List token={token as Tokens.List} place={place} />;
    case 'blockquote':
      return <blockquote>{blocksIn(token.tokens, place)}</blockquote>;
    case 'table':
      return <Table token={token as Tokens.Table} />;
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return <span>{inline(token.tokens ?? [token])}</span>;
    default:
      // Includes HTML, which is shown as plain text.
      return <p dir="auto">{visible(token.raw)}</p>;
  }
}

/** Renders the blocks in a list or a quotation. */
function blocksIn(tokens: readonly Token[] | undefined, { open, depth, level }: Place): ComponentChildren {
  const below = depth === 0 ? Math.min(DEEPEST_LEVEL, level + 1) : level;
  return (tokens ?? []).map((token) => blockElement(token, { open, depth: depth + 1, level: below }));
}

/** The element decides the size of the text, which follows the marks as written. */
function Heading({ token, level }: { readonly token: Tokens.Heading; readonly level: number }) {
  const Element = token.depth === 1 ? 'h3' : token.depth === 2 ? 'h4' : 'h5';
  return (
    <Element dir="auto" aria-level={level}>
      {inline(token.tokens)}
    </Element>
  );
}

function List({ token, place }: { readonly token: Tokens.List; readonly place: Place }) {
  const items = token.items.map((item) => (
    <li dir="auto">
      {item.task && <input type="checkbox" checked={item.checked ?? false} disabled aria-label="Task" />}
      {blocksIn(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        place,
      )}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token }: { readonly token: Tokens.Table }) {
  const columns = Math.min(token.header.length, MOST_COLUMNS);
  const rows = token.rows.slice(0, Math.min(MOST_ROWS, Math.floor(MOST_CELLS / Math.max(1, columns))));
  const hidden = token.rows.length - rows.length;
  const narrowed = token.header.length - columns;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {token.header.slice(0, columns).map((cell) => (
              <th dir="auto" class={alignment(cell)}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.slice(0, columns).map((cell) => (
                <td dir="auto" class={alignment(cell)}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p class="hint">{hidden.toLocaleString('en')} more rows are not shown.</p>}
      {narrowed > 0 && <p class="hint">{narrowed.toLocaleString('en')} more columns are not shown.</p>}
    </div>
  );
}

function alignment(cell: Tokens.TableCell): string | undefined {
  return cell.align === 'right' || cell.align === 'center' ? `align-${cell.align}` : undefined;
}

function languageOf(token: Tokens.Code): string {
  return /^\S+/.exec(token.lang ?? '')?.[0] ?? '';
}
