import type { Content } from '../../platform/contents/content.js';
import type { Artifact } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';

/** Archiving an endeavour leaves its artifacts as they are. */
export const artifactContent: Content<Artifact> = { section: 'artifacts', view: artifactView };
