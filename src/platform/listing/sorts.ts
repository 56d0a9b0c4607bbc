import type { Sort } from './definition.js';

/** Sorts by a text as people expect: in no particular language, and with numbers by their value (spec 01, Lists). */
export const textSort = (column: string): Sort => ({ sql: `(${column} COLLATE natural_order)`, type: 'text' });
