/** The flags that `npm start` passes to node, for starting the service in another way. */
import { readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const FLAGS = scripts.start.split(' ').filter((word) => word.startsWith('--'));
