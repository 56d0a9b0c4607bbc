/** What `npm start` gives to node, for those who run the service in another way and want the same. */
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
