/** `npm start`: installs and builds if that is needed, then runs the service in this process. */
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

await ensureInstalled();
await ensureBuilt();
await import('../dist/main.js');
