/** Reads a number; `ambiguous` if it can be read in two ways, undefined if in none. */
export function readNumber(text: string, decimal?: '.' | ','): number | 'ambiguous' | undefined {
  const form = text.normalize('NFKC').replaceAll(/[\s'’_]/g, '');
  if (!/^[+-]?[\d.,]*\d[.,]?$/.test(form) && !/^[+-]?\d*\.?\d+e[+-]?\d+$/i.test(form)) return undefined;
  const separators = form.match(/[.,]/g) ?? [];
  if (separators.length === 0) return finite(form);
  if (decimal !== undefined) return numberWith(form, decimal);
  const [dots, commas] = [numberWith(form, '.'), numberWith(form, ',')];
  if (dots !== undefined && commas !== undefined) return dots === commas ? dots : 'ambiguous';
  return dots ?? commas;
}

/** Returns the number if the text is one with that decimal mark and groups of three digits. */
function numberWith(form: string, decimal: '.' | ','): number | undefined {
  const group = decimal === '.' ? ',' : '.';
  const [whole, ...fractions] = form.split(decimal);
  if (fractions.length > 1 || fractions.some((fraction) => fraction.includes(group))) return undefined;
  if (
    whole.includes(group) &&
    !(decimal === '.' ? /^[+-]?[1-9]\d{0,2}(?:,\d{3})+$/ : /^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$/).test(whole)
  ) {
    return undefined;
  }
  return finite([whole.replaceAll(group, ''), ...fractions].join('.'));
}

function finite(form: string): number | undefined {
  const number = Number(form);
  return Number.isFinite(number) ? number : undefined;
}

/** The decimal mark of a language. */
export const decimalIn = (language: string): '.' | ',' => (/^(?:de|fr|es|pt)/i.test(language) ? ',' : '.');
