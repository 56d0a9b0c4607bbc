/** `npm run admin` and similar commands: installs and builds if needed, then runs that program of the service. */
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

const [name] = process.argv.splice(2, 1);
await ensureInstalled();
await ensureBuilt();
await import(`../dist/${name}.js`);
