export function buildReleases(say: (line: string) => void): { old: string; next: string };
export function sourcesOf(commit: string): string | undefined;
export function commitBefore(path: string): string | undefined;
