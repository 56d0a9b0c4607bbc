import type { Figure } from './kills.mjs';

export function run(options: { full: boolean; tasks?: number; say: (line: string) => void }): Promise<Figure[]>;
