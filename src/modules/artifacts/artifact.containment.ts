import type { Containment } from '../../platform/containment/containment.js';
import type { Artifact } from './artifact.entity.js';
import { artifactView } from './artifact.view.js';

/** Artifacts are exported with their endeavour; archiving the endeavour does not change them. */
export const artifactContainment: Containment<Artifact> = { exportKey: 'artifacts', view: artifactView };
