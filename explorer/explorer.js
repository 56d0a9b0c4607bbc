import { FoldingPlugin } from './folding-plugin.js';
import { FilterPlugin } from './filter-plugin.js';
import { OptionalExamplesPlugin } from './optional-examples.js';
import { addSignIn } from './sign-in.js';

// Swagger UI uses dark colours on a page with this class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setColours);
setColours();

const ui = SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#explorer',
  plugins: [FilterPlugin, FoldingPlugin, OptionalExamplesPlugin],
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  validatorUrl: null,
  onComplete: () => addSignIn(ui),
});
