import { Logger } from '@nestjs/common';
import { ApiError, type FieldError } from '../../../common/errors.js';
import { isCleanText, isLongerThan } from '../../../common/texts/text.js';
import { RefusedLine } from './import-format.js';
import type { LineRefusal, StoredLine } from '../imports.repository.js';

const log = new Logger('Imports');

/**
 * Converts a {@link RefusedLine} or `ApiError` to the refusal of a line, and so an error of the code that reads it: a
 * record of a form that nobody expected must not stop the others. Rethrows all other errors, such as those of the database.
 */
export function lineRefusalOf({ line, key }: StoredLine, error: unknown): LineRefusal {
  const identity = { line, externalId: key };
  if (error instanceof RefusedLine) {
    return { ...identity, code: error.code, reason: error.reason, message: error.message };
  }
  if (error instanceof TypeError || error instanceof RangeError) {
    log.warn(`line ${line} cannot be read: ${error.stack}`);
    return { ...identity, code: 'invalid_input', reason: null, message: 'The record has a form that cannot be read.' };
  }
  if (!(error instanceof ApiError)) throw error;
  const { code, message, details } = error;
  return { ...identity, code, reason: typeof details?.reason === 'string' ? details.reason : null, message };
}

/** Returns the valid body; throws the first error as a {@link RefusedLine}. */
export function validBodyOf<D>({ dto, fieldErrors }: { dto: D; fieldErrors: readonly FieldError[] }): D {
  if (fieldErrors.length > 0) throw new RefusedLine(fieldErrors[0].message, 'invalid_input', fieldErrors[0].code);
  return dto;
}

/** Returns the error if a comment cannot be imported unchanged. */
export function contentError(content: string): RefusedLine | undefined {
  if (isLongerThan(content, 50_000)) {
    return new RefusedLine('A comment is longer than 50000 characters.', 'invalid_input', 'too_long');
  }
  if (isCleanText(content)) return undefined;
  return new RefusedLine('A comment contains characters that cannot be stored.', 'invalid_input', 'invalid_text');
}
