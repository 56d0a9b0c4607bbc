/** `npm run admin` and the like: installs and builds if that is needed, then runs that program of the service. */
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';

const [name] = process.argv.splice(2, 1);
await ensureInstalled();
await ensureBuilt();
await import(`../dist/${name}.js`);
