/** Lets Node run the TypeScript sources without a build: `node --import ./scripts/typescript-loader.mjs file.ts`. */
import './swc-cache.mjs';
import '@swc-node/register/esm-register';
