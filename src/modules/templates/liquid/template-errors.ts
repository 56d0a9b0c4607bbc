import { printable } from '../../../common/texts/text.js';

/** The message of a template error, with line and column; quotes only single words of the template. */
export function describeTemplateError(field: string, error: string): string {
  const message = error
    .replace(/\{[{%].*?[%}]\}/gs, 'a tag')
    .replace(/"(.*?)"/gs, (quoted, inner: string) => (/^\w{1,40}$/.test(inner) ? quoted : '"..."'))
    .replace(/line:(\d+), col:(\d+)/g, 'line $1, column $2');
  return `${field} is not a valid template: ${printable(message, 300)}.`;
}
