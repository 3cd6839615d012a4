import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** One line of text with a copy button. */
export function CopyLine({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => {});
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <div class="copy-line">
      <code>{text}</code>
      <button
        type="button"
        class="button plain icon-only"
        onClick={copy}
        aria-label={copied ? 'Copied' : 'Copy'}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
    </div>
  );
}
