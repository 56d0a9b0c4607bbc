import type { Figure } from './kills.mjs';

export function run(options: { full: boolean; rounds?: number; say: (line: string) => void }): Promise<Figure[]>;
