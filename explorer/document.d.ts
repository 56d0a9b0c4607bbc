export function exampleOf(document: object, schema: object): unknown;
export function groupsOf(document: object): { name: string; operations: { path: string; method: string }[] }[];
export function matches(text: string, phrase: string): boolean;
export function typeOf(schema: object): string;
