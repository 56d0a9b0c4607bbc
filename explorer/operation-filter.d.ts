export function matches(text: string, phrase: string): boolean;
