import type { Containment } from '../../platform/containment/containment.js';
import type { Artifact } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';

/** Archiving an endeavour leaves its artifacts as they are. */
export const artifactContainment: Containment<Artifact> = { exportKey: 'artifacts', view: artifactView };
