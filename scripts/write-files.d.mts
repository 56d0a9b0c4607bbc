export function formatted(root: string, texts: Iterable<[string, string]>): Promise<Map<string, string>>;
export function writeAll(root: string, texts: Map<string, string>): void;
