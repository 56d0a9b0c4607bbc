import { isRecord } from '../../common/json.js';
import { ENTITY_TAGS, MOST_TAGS } from '../../platform/http/etag.js';
import { Bool, ListOf, OneOf } from '../../platform/http/fields.js';
import { field, fieldError, NO_FIELD_ERRORS, type FieldOptions } from '../../platform/http/fields/field.js';
import { formed } from '../../platform/http/fields/text.js';

const METHODS = ['POST', 'PATCH', 'PUT', 'DELETE'] as const;

const LONGEST_ID = 50;
const LONGEST_PATH = 2_000;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const CHARACTER = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})";
const RELATIVE = '(?:\\.|%2[eE]){1,2}(?:[/?]|$)';
/** An API path in normal form: no `..`, no `//`, no backslash. */
const PATH = new RegExp(`^/api/v1(?:/(?!${RELATIVE})${CHARACTER}+)+(?:\\?(?:${CHARACTER}|[/?[\\]])*)?$`);

const matching = (pattern: RegExp, longest: number, form: string, schema: object, options: FieldOptions) =>
  field(
    {
      faults: formed(
        { min: 1, max: longest },
        (text) => pattern.test(text),
        (at) => fieldError(at, 'invalid_format', form),
      ),
    },
    { type: 'string', maxLength: longest, pattern: pattern.source, ...schema },
    options,
  );

/** The body of the request, which its own operation validates. */
const RequestBody = (options: FieldOptions) =>
  field(
    {
      faults: (value, at) =>
        isRecord(value) ? NO_FIELD_ERRORS : fieldError(at, 'invalid_type', 'must be a JSON object.'),
    },
    { type: 'object', additionalProperties: true },
    options,
  );

export class BatchOperationDto {
  @matching(
    NAME,
    LONGEST_ID,
    'must begin with a letter, followed by letters, digits, _ and -.',
    {},
    { description: 'A name of your own, by which later requests refer to this one.', example: 'a' },
  )
  id?: string;

  @OneOf(METHODS, { required: true, example: 'POST', description: 'The method of the request.' })
  method: (typeof METHODS)[number];

  @matching(
    PATH,
    LONGEST_PATH,
    'must be a path below /api/v1 without empty or relative segments.',
    {},
    {
      required: true,
      example: '/api/v1/demands',
      description: 'The path of the request with its query. A segment such as `$a.id` stands for a property.',
    },
  )
  path: string;

  @RequestBody({
    description:
      'The body of the request. A string such as `$a.id` stands for the property `id` of the answer of the request ' +
      '`a`; a string that begins with a dollar sign of its own begins with two.',
    example: {
      type: 'story',
      title: 'Visitors find the exit',
      endeavour_id: 'edv_01a2058a2753708eab9f22b2dd531f61',
    },
  })
  body?: Record<string, unknown>;

  @matching(
    ENTITY_TAGS,
    MOST_TAGS,
    'must be a quoted ETag such as "3" or "3-abc", or *.',
    {},
    { description: 'The `If-Match` of the request.' },
  )
  if_match?: string;
}

export class BatchDto {
  @ListOf(BatchOperationDto, { required: true, min: 1, max: 100, description: 'The requests, in their order.' })
  operations: BatchOperationDto[];

  @Bool({ description: 'Whether all of them are done or none; so unless it is false.' })
  atomic?: boolean;
}
