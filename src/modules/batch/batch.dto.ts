import { isRecord } from '../../common/texts/json.js';
import { ENTITY_TAGS, MAX_TAGS } from '../../platform/http/responses/etag.js';
import { Bool, ListOf, OneOf } from '../../platform/http/bodies/fields.js';
import { field, fieldError, NO_FIELD_ERRORS, type FieldOptions } from '../../platform/http/bodies/fields/field.js';
import { textMatching } from '../../platform/http/bodies/fields/text.js';

const METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const;

const MAX_ID_LENGTH = 50;
const MAX_PATH_LENGTH = 2_000;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const RELATIVE = '(?:\\.|%2[eE]){1,2}(?:[/?]|$)';
/** An API path in normal form, with or without its prefix: no `..`, no `//`, no backslash. */
const PATH = new RegExp(`^(?:/(?!${RELATIVE})${CHARACTER}+)+(?:\\?(?:${CHARACTER}|[/?[\\]])*)?$`);

const Matching = (pattern: RegExp, maxLength: number, message: string, schema: object, options: FieldOptions) =>
  field(
    {
      errorsOf: textMatching(
        { min: 1, max: maxLength },
        (text) => pattern.test(text),
        (at) => fieldError(at, 'invalid_format', message),
      ),
    },
    { type: 'string', maxLength, pattern: pattern.source, ...schema },
    options,
  );

/** The body of a request, which the operation of that request validates. */
const RequestBody = (options: FieldOptions) =>
  field(
    {
      errorsOf: (value, at) =>
        isRecord(value) ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be a JSON object.'),
    },
    { type: 'object', additionalProperties: true },
    options,
  );

export class BatchOperationDto {
  @Matching(
    NAME,
    MAX_ID_LENGTH,
    'must begin with a letter, followed by letters, digits, _ and -.',
    {},
    { description: 'A name that you choose; later requests refer to this request by it.', example: 'a' },
  )
  id?: string;

  @OneOf(METHODS, { required: true, example: 'POST', description: 'The method of the request.' })
  method: (typeof METHODS)[number];

  @Matching(
    PATH,
    MAX_PATH_LENGTH,
    'must be the path of an operation, with or without /api/v1, and without empty or relative segments.',
    {},
    {
      required: true,
      example: '/api/v1/demands',
      description:
        'The path of the request with its query, with or without /api/v1. A segment such as `$a.id` stands for a property.',
    },
  )
  path: string;

  @RequestBody({
    description:
      'The body of the request. A string such as `$a.id` stands for the property `id` in the response to the request ' +
      '`a`; write `$$` for a dollar sign at the beginning of a string.',
    example: {
      type: 'story',
      title: 'Visitors find the exit',
      endeavour_id: 'edv_01a2058a2753708eab9f22b2dd531f61',
    },
  })
  body?: Record<string, unknown>;

  @Matching(
    ENTITY_TAGS,
    MAX_TAGS,
    'must be a quoted ETag such as "3" or "3-abc", or *.',
    {},
    { description: 'The `If-Match` of the request.' },
  )
  if_match?: string;
}

export class BatchDto {
  @ListOf(BatchOperationDto, {
    required: true,
    min: 1,
    max: 100,
    description: 'The requests, in the order of execution.',
  })
  operations: BatchOperationDto[];

  @Bool({ description: 'Whether the requests are executed in one transaction, all or none. Defaults to true.' })
  atomic?: boolean;
}
