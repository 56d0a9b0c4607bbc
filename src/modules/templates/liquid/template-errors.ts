import { printable } from '../../../common/text.js';

/** What the engine says of a template, in a sentence that names line and column and quotes nothing but single words. */
export function describeTemplateError(field: string, fault: string): string {
  const said = fault
    .replace(/\{[{%].*?[%}]\}/gs, 'a tag')
    .replace(/"(.*?)"/gs, (quoted, inner: string) => (/^\w{1,40}$/.test(inner) ? quoted : '"..."'))
    .replace(/line:(\d+), col:(\d+)/g, 'line $1, column $2');
  return `${field} is not a valid template: ${printable(said, 300)}.`;
}
