import { defineView, id, json, nullable, text } from '../../platform/database/views/view.js';
import type { ArtifactFile } from './artifact.entity.js';

/** What the address of a file is made from; no client sees it. */
export const artifactFileView = defineView({
  name: 'ArtifactFile',
  kind: 'artifact',
  table: 'artifacts',
  alias: 'a',
  joins: '',
  fields: {
    id: id('a.id', 'artifact'),
    title: text('a.title'),
    file: nullable(json<ArtifactFile>('a.file', {})),
  },
});
