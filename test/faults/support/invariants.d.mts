export interface Invariant {
  name: string;
  sql: string;
}
export const INVARIANTS: Invariant[];
export function sweep(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]>;
