export function ensureBuilt(): Promise<void>;
export function isBuilt(): boolean;
