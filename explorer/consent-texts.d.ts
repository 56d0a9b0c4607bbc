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

/** What the texts about a program are made of. */
export interface ShownProgram {
  client_id: string;
  client_name: string;
  client_source: string;
  client_host: string | null;
  redirect_host: string | null;
  resource: string;
}

export const TEXTS: Record<string, ConsentTexts>;
export function languageOf(tags: readonly string[]): string;
export function scopeText(scope: string, texts: ConsentTexts): string;
export function programName(request: Pick<ShownProgram, 'client_name' | 'client_host'>): string;
export function programText(request: ShownProgram, texts: ConsentTexts): string;
