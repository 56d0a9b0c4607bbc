export interface Invariant {
  name: string;
  sql: string;
}
export const TABLES: Readonly<Record<string, string>>;
export const INVARIANTS: Invariant[];
export function brokenInvariants(query: (sql: string) => Promise<Record<string, unknown>[]>): Promise<string[]>;
