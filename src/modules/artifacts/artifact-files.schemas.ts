import { component, exactly, extendedSchema } from '../../platform/http/openapi/schemas.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { artifactView } from './artifact.view.js';

const expiresAt = { type: 'string', format: 'date-time', description: 'When the store stops accepting the URL.' };
const text = (description: string): JsonSchema => ({ type: 'string', description });

const UPLOAD = component(
  'FileUpload',
  exactly({
    url: text('The URL at the store, with its signature.'),
    method: { type: 'string', const: 'PUT' },
    headers: {
      ...exactly({
        'content-length': text('The length of the file. Browsers and most programs send it by themselves.'),
        'content-type': text('Always application/octet-stream.'),
        'if-none-match': text('Always `*`: the store never overwrites.'),
        'x-amz-checksum-sha256': text('The SHA-256 of the file in base64, which the store checks.'),
      }),
      description: 'Headers to send exactly so, because the signature covers them.',
    },
    expires_at: expiresAt,
  }),
);

/** An artifact with the address for its file. */
export const uploadingArtifact = extendedSchema('UploadingArtifact', artifactView, {
  upload: {
    anyOf: [UPLOAD, { type: 'null' }],
    description:
      'Where to send the file, returned only here; null for an artifact without an upload, in a dry run and in a batch. ' +
      'POST /artifacts/{id}/upload gives another one.',
  },
});

/** The address of a stored file. */
export const fileDownload = component(
  'FileDownload',
  exactly({
    url: text('The URL at the store, with its signature. Send it no `Authorization`.'),
    method: { type: 'string', const: 'GET' },
    headers: { ...exactly({}), description: 'Headers to send; none.' },
    expires_at: expiresAt,
  }),
);
