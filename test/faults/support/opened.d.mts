export function closeAll(): Promise<void>;
