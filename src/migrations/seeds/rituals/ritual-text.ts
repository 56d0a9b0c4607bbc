/** What a built-in ritual says in one language. */
export interface RitualText {
  name: string;
  description: string;
  prompt: string;
}
