export function nextTimestamp(root: string): number;
