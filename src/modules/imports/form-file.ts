import { Busboy } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { ApiError, invalidField } from '../../common/errors.js';
import type { Upload } from '../../platform/http/uploads.js';

/** The file of a request, and the parameters that came before it in a form. */
export interface FormFile {
  fields: Record<string, string>;
  file: Readable;
}

const LIMITS = { files: 1, fields: 10, fieldSize: 100_000, parts: 11 };

/** What a file may be called; the format says what it is. */
const PLAIN = /^(?:application\/octet-stream|application\/json|text\/csv)[ \t]*(?:;|$)/i;

/** The body itself, or the file that is a part of it. */
export function partsOf({ contentType, file }: Upload): FormFile | Promise<FormFile> {
  if (PLAIN.test(contentType)) return { fields: {}, file };
  if (/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) return formOf(contentType, file);
  throw new ApiError(
    'unsupported_media_type',
    'The file must be application/octet-stream, text/csv or application/json, or a part of multipart/form-data.',
  );
}

function formOf(contentType: string, body: Readable): Promise<FormFile> {
  const fields: Record<string, string> = {};
  const malformed = () => invalidField('file', 'invalid_format', 'The form is malformed or incomplete.');
  return new Promise((resolve, reject) => {
    const form = new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
    let part: Readable | undefined;
    form.on('field', (name, value) => {
      if (part === undefined) fields[name] = value;
    });
    form.on('file', (_name, stream) => {
      part = stream;
      resolve({ fields, file: stream });
    });
    const fail = () => {
      part?.destroy(malformed());
      reject(malformed());
    };
    form.on('error', fail);
    body.on('aborted', fail).on('error', fail);
    form.on('finish', () => {
      if (part === undefined) reject(invalidField('file', 'required', 'The form has no file.'));
    });
    body.pipe(form);
  });
}
