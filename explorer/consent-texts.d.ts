/** The texts of the page for consent in one language; some contain what the request names. */
export interface ConsentTexts {
  areas: Record<string, string>;
  deviceHint: string;
  granted: string;
  refused: string;
  signInAgain: string;
  signInFirst: string;
  tickOne: string;
  title(name: string): string;
  [name: string]: unknown;
}

export const TEXTS: Record<string, ConsentTexts>;
export function languageOf(tags: readonly string[]): string;
export function scopeText(scope: string, texts: ConsentTexts): string;
