import { highlighted } from '../markdown/highlight.tsx';
import { visible } from '#shared/page/visible.ts';
import { useActions } from './actions.ts';
import { IconButton } from './icons.tsx';

/** Code with its actions. `open`: it still grows, and is highlighted once it no longer does. */
export function CodeBlock(props: { readonly code: string; readonly language: string; readonly open: boolean }) {
  const { code, language, open } = props;
  const { copy, post } = useActions();
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="code-language">{language || 'text'}</span>
        <IconButton icon="copy" label="Copy Code" onClick={() => copy(code)} />
        <IconButton icon="insert" label="Insert at Cursor" onClick={() => post({ type: 'insert', text: code })} />
        {isModelCode(language) && !open && (
          <IconButton
            icon="diff"
            label="Review as Change to a Model File…"
            onClick={() => post({ type: 'apply', text: code, language })}
          />
        )}
      </div>
      <pre dir="ltr" tabIndex={0} aria-label={`Code, ${visible(language) || 'text'}`}>
        <code>{open ? visible(code) : highlighted(code, language)}</code>
      </pre>
    </div>
  );
}

/** Whether data-model files are written in this language. */
function isModelCode(language: string): boolean {
  return ['yaml', 'yml', 'js', 'javascript', 'jinja'].includes(language.toLowerCase());
}
