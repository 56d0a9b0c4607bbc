import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Readable } from 'node:stream';
import { ApiError, invalidField, invalidInput, type FieldError } from '../../../common/errors.js';
import { printable } from '../../../common/texts/text.js';
import { fieldError } from '../../../platform/http/bodies/fields/field.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import { piecesOf, type Upload } from '../../../platform/http/bodies/uploads.js';

/** The file of a request, and the parameters before it in a form. */
interface FormFile {
  fields: Record<string, string | string[]>;
  file: AsyncIterable<Buffer>;
}

const LIMITS = { files: 1, fields: 10, fieldSize: 100_000, parts: 11 };

/** The accepted media types of a file; the parameter `format` determines how the file is parsed. */
const PLAIN = /^(?:application\/octet-stream|application\/json|text\/csv)[ \t]*(?:;|$)/i;

/** Returns the file of a request: the whole body, or a part of a form. */
export function formPartsOf({ contentType, file }: Upload): FormFile | Promise<FormFile> {
  // A client that disconnected while its upload waited for its turn is not reported again.
  if (file.destroyed && !file.readableEnded) throw invalidField('file', 'invalid_format', 'The file is incomplete.');
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
  const errors: FieldError[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    form.on('finish', resolve).on('error', () => reject(malformed()));
    body.on('aborted', () => reject(malformed()));
  });
  // If the file is rejected, this promise is not awaited.
  ended.catch(() => undefined);
  let part: Readable | undefined;
  form.on('field', (name, value, _isNameCut, isCut) => {
    const field = printable(name);
    if (part !== undefined) errors.push(...fieldError(field, 'invalid_value', 'must come before the file.'));
    else if (isCut) errors.push(...fieldError(field, 'too_long', `can have at most ${LIMITS.fieldSize} bytes.`));
    else fields.set(name, [...(fields.get(name) ?? []), value]);
  });
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
    const message = `can have one file and at most ${LIMITS.fields} fields before it.`;
    form.once(limit, () => errors.push(...fieldError('form', 'out_of_range', message)));
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
      if (errors.length > 0) reject(invalidInput(errors));
      resolve({ fields: parametersIn(fields), file: whole(stream, ended, errors) });
    });
    form.on('finish', () => {
      if (part !== undefined) return;
      reject(errors.length > 0 ? invalidInput(errors) : invalidField('file', 'required', 'The form has no file.'));
    });
    body.pipe(form);
  });
}

/** Returns the fields like parsed query parameters: a repeated one is an array, which is rejected later. */
const parametersIn = (fields: ReadonlyMap<string, string[]>): FormFile['fields'] =>
  Object.fromEntries([...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));

/** Merges the parameters of the query and the form; a parameter in both counts as repeated. */
export function withFields(raw: RawQuery, fields: FormFile['fields']): RawQuery {
  const common = Object.keys(fields).filter((name) => Object.hasOwn(raw.query, name));
  const repeated = Object.fromEntries(common.map((name) => [name, [raw.query[name], fields[name]]]));
  return { ...raw, query: { ...raw.query, ...fields, ...repeated } };
}

/** Yields the chunks of the file. Parameters after the file are rejected, because they would come too late. */
async function* whole(part: Readable, ended: Promise<void>, errors: FieldError[]): AsyncGenerator<Buffer> {
  yield* piecesOf(part);
  await ended;
  if (errors.length > 0) throw invalidInput(errors);
}
