export function readBacklog(path: string): Record<string, unknown>[];
export function expectationsOf(issues: object[]): Record<string, unknown>;
