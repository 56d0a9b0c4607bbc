export function listsOf(document: object): Map<string, { path: string; isByCreator: boolean; tag: string }>;
export function prefixesIn(text: string): string[];
export function withOwnIds(text: string, ids: Record<string, string>): string;
