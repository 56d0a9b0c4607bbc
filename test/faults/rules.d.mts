import type { Figure } from './kills.mjs';

export function run(options: { full: boolean; say: (line: string) => void }): Promise<Figure[]>;
