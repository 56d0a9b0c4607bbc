import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { ApiError, invalidField, invalidInput, type FieldError } from '../../common/errors.js';
import { printable } from '../../common/text.js';
import { fieldError } from '../../platform/http/fields/field.js';
import type { RawQuery } from '../../platform/http/query-parameters.js';
import { piecesOf, type Upload } from '../../platform/http/uploads.js';

/** The file of a request, and the parameters that came before it in a form. */
export interface FormFile {
  fields: Record<string, string | string[]>;
  file: AsyncIterable<Buffer>;
}

const LIMITS = { files: 1, fields: 10, fieldSize: 100_000, parts: 11 };

/** The accepted media types of a file; `format` determines how it is read. */
const PLAIN = /^(?:application\/octet-stream|application\/json|text\/csv)[ \t]*(?:;|$)/i;

/** The file: the whole body, or a part of a form. */
export function formPartsOf({ contentType, file }: Upload): FormFile | Promise<FormFile> {
  if (PLAIN.test(contentType)) return { fields: {}, file: piecesOf(file) };
  if (/^multipart\/form-data\s*;.*boundary=/i.test(contentType)) return formOf(contentType, file);
  throw new ApiError(
    'unsupported_media_type',
    'The file must be application/octet-stream, text/csv or application/json, or a part of multipart/form-data.',
  );
}

const malformed = (): ApiError => invalidField('file', 'invalid_format', 'The form is malformed or incomplete.');

function busboyOf(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: LIMITS });
  } catch {
    throw malformed();
  }
}

function formOf(contentType: string, body: Readable): Promise<FormFile> {
  const form = busboyOf(contentType);
  const fields = new Map<string, string[]>();
  const faults: FieldError[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve).on('error', () => reject(malformed()));
    body.on('aborted', () => reject(malformed()));
  });
  // If the file is rejected, the rest of the form is not awaited.
  ended.catch(() => undefined);
  let part: Readable | undefined;
  form.on('field', (name, value, _isNameCut, isCut) => {
    const field = printable(name);
    if (part !== undefined) faults.push(...fieldError(field, 'invalid_value', 'must come before the file.'));
    else if (isCut) faults.push(...fieldError(field, 'too_long', `can have at most ${LIMITS.fieldSize} bytes.`));
    else fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    const message = `can have one file and at most ${LIMITS.fields} fields before it.`;
    form.once(limit, () => faults.push(...fieldError('form', 'out_of_range', message)));
  }
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      part?.destroy(malformed());
      reject(malformed());
    };
    form.on('error', fail);
    body.on('aborted', fail).on('error', fail);
    form.on('file', (_name, stream) => {
      // If the client disconnects after a rejection, the unread file fails without effect.
      part = stream.on('error', () => undefined);
      if (faults.length > 0) reject(invalidInput(faults));
      resolve({ fields: parametersIn(fields), file: whole(stream, ended, faults) });
    });
    form.on('finish', () => {
      if (part !== undefined) return;
      reject(faults.length > 0 ? invalidInput(faults) : invalidField('file', 'required', 'The form has no file.'));
    });
    body.pipe(form);
  });
}

/** Parameters as in a query: one that was sent several times is a list, which is rejected. */
const parametersIn = (fields: ReadonlyMap<string, string[]>): FormFile['fields'] =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** The parameters of query and form; one that is in both counts as sent twice. */
export function withFields(sent: RawQuery, fields: FormFile['fields']): RawQuery {
  const twice = Object.keys(fields).filter((name) => Object.hasOwn(sent.query, name));
  const repeated = Object.fromEntries(twice.map((name) => [name, [sent.query[name], fields[name]]]));
  return { ...sent, query: { ...sent.query, ...fields, ...repeated } };
}

/** The chunks of the file. Parameters after the file are rejected, because it is already being read. */
async function* whole(part: Readable, ended: Promise<void>, faults: FieldError[]): AsyncGenerator<Buffer> {
  yield* piecesOf(part);
  await ended;
  if (faults.length > 0) throw invalidInput(faults);
}
