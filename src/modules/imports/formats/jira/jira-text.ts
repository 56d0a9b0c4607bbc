import { isRecord, type JsonRecord } from '../../../../common/texts/json.js';
import { recordOf, recordsOf, textOf } from '../values.js';

/** Returns a text, or the plain text of an Atlassian document with its paragraphs, list items and code blocks. */
export function plainText(value: unknown): string | undefined {
  if (!isRecord(value)) return textOf(value);
  return textOf(
    textIn(value)
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  );
}

function textIn(node: JsonRecord): string {
  const attributes = recordOf(node.attrs);
  if (node.type === 'text') return textOf(node.text) ?? '';
  if (node.type === 'hardBreak') return '\n';
  if (node.type === 'mention' || node.type === 'emoji') return textOf(attributes.text) ?? '';
  if (node.type === 'inlineCard' || node.type === 'blockCard') return textOf(attributes.url) ?? '';
  const inner = recordsOf(node.content).map(textIn).join('');
  if (node.type === 'listItem') return `- ${inner.trim()}\n`;
  if (node.type === 'codeBlock') return `\`\`\`\n${inner}\n\`\`\`\n\n`;
  if (node.type === 'tableRow') return `${inner.trim().replaceAll(/\n+/g, ' ')}\n`;
  if (node.type === 'tableCell' || node.type === 'tableHeader') return `${inner.trim()} | `;
  return ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'table'].includes(textOf(node.type) ?? '')
    ? `${inner}\n\n`
    : inner;
}
