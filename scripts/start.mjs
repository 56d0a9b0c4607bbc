/** `npm start`: installs and builds if that is needed, then runs the service in this process. */
import './install.mjs';
import { ensureBuilt } from './build.mjs';

ensureBuilt();
await import('../dist/main.js');
