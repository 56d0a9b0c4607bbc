import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import type { AcceptedOperation } from '../../platform/http/responses/accepted-operation.js';
import { PathId } from '../../platform/http/bodies/body.pipe.js';
import { idOf } from '../../platform/http/bodies/fields/links.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { ReceivedUpload } from '../../platform/http/bodies/received-upload.js';
import { AcceptsUploads, UPLOAD_TYPES, UploadedFile, type Upload } from '../../platform/http/bodies/uploads.js';
import { LongRunning, startedOperation } from '../operations/long-running.js';
import { FORMATS } from './formats/all.js';
import { formPartsOf, withFields } from './reading/form-file.js';
import { importParametersOf, readPage } from './reading/import-parameters.js';
import { ImportLimiter } from './import-limiter.js';
import { NOTE_KINDS } from './import-notes.js';
import { ImportsService, type ImportReport } from './imports.service.js';

const count = (description: string) => ({ type: 'integer', description });
const nullableText = (description: string) => ({ type: ['string', 'null'], description });

const nullableId = (kind: 'endeavour' | 'organization') => ({ ...idOf(kind), type: ['string', 'null'] });

const refusal = exactly({
  number: count('The position of the refusal in the report. Send the last one as `after` for the next page.'),
  line: count('The line in a CSV file, or the position in the array of a JSON file, from 1.'),
  external_id: nullableText('The id of the record in the file.'),
  code: { type: 'string', description: 'A stable code for programs.' },
  reason: nullableText('A stable code with more detail.'),
  message: { type: 'string', description: 'A message for people.' },
});

const note = exactly({
  kind: {
    type: 'string',
    enum: [...NOTE_KINDS],
    description:
      'What the note is about: a column, property, status, list, resolution, link name, person or value of the file, ' +
      'something of which only a part is in the file (`truncated`), a mapping or option that matched nothing, or a ' +
      'property that was edited here since the last import (`kept`).',
  },
  name: { type: 'string', description: 'The name in the file or request.' },
  count: count('How often it occurs.'),
  line: { type: ['integer', 'null'], description: 'The first line; null for what concerns the whole file.' },
  message: { type: 'string', description: 'What was done instead, for people.' },
});

const report = component(
  'ImportReport',
  exactly({
    id: idOf('import'),
    operation_id: idOf('operation'),
    endeavour_id: nullableId('endeavour'),
    organization_id: nullableId('organization'),
    format: { type: 'string', enum: Object.keys(FORMATS) },
    is_dry_run: { type: 'boolean', description: 'Whether the import only reports its result, without changes.' },
    lines: count('The number of records in the file.'),
    counts: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description:
        'The numbers of created, updated and unchanged records, of those that the options leave out (`skipped`), and of ' +
        'created comments, relations and time entries (`time_entries`), and of changed comments and time entries ' +
        '(`comments_changed`, `time_entries_changed`).',
    },
    notes: {
      type: 'array',
      items: note,
      description: 'What in the file was not understood, or not taken as it is: at most 2000 notes.',
    },
    notes_total: count('The number of notes, also of those that are not shown.'),
    refused: count('The number of refusals.'),
    refusals: { type: 'array', items: refusal, description: 'A page of the refusals.' },
    created_at: { type: 'string', format: 'date-time' },
  }),
);

const parameters = {
  format: {
    description: 'The format of the file. Required, here or as a field of the form.',
    schema: { type: 'string', enum: Object.keys(FORMATS), examples: ['csv'] },
  },
  endeavour_id: {
    description: 'The endeavour to import the file into; required unless `organization_id` is set.',
    schema: idOf('endeavour'),
  },
  organization_id: {
    description: 'The organization to import an export of this service into, which requires the `owner` role there.',
    schema: idOf('organization'),
  },
  mapping: {
    description:
      'For CSV: a JSON object with the field of each column, by the names of the columns. Without it, columns are ' +
      'read by their headings; in the format `jira`, it adds to the headings.',
    schema: { type: 'string', examples: ['{"Summary":"title","Key":"id"}'] },
  },
  options: {
    description:
      'A JSON object: `source` (the name of the other system), `people` (the ids of members by names in the file), ' +
      '`statuses` (statuses by their names in the file), `resolutions` (done or canceled, by their names in the file), ' +
      '`links` (relations by the names of link types), `date_format` (such as DD/MM/YYYY), `timezone` (of times without ' +
      'an offset), `decimal` (the decimal mark), `language` (en, de, fr, es, pt or ja), `archived` (cancel or skip: ' +
      'what happens to open work in archived lists and projects), `delimiter` (the separator of a CSV file).',
    schema: { type: 'string', examples: ['{"source":"jira"}'] },
  },
  dry_run: {
    description:
      'Set to true to read the file and report the result, without changes. What a change of an existing task needs ' +
      '(transition, rights, quorum, Definition of Done) is not checked then; the import can refuse such lines.',
    schema: { type: 'boolean' },
  },
} as const;

const fileSchema = { type: 'string', format: 'binary', description: 'The file, up to 200 MiB.' };

/** The fields come before the file, because the service reads the form as it arrives. */
const formSchema = component('ImportFormInput', {
  type: 'object',
  required: ['file'],
  properties: {
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, { description, schema }]) => [name, { ...schema, description }]),
    ),
    file: fileSchema,
  },
});

const bodies = Object.fromEntries(
  UPLOAD_TYPES.map((type) => [type, type === 'multipart/form-data' ? formSchema : fileSchema]),
);

@ApiTags('Imports')
@Controller('imports')
@AcceptsUploads('/api/v1/imports')
export class ImportsController {
  constructor(private readonly imports: ImportsService) {}

  @TransactionalPost()
  @UseInterceptors(ImportLimiter)
  @LongRunning()
  @Operation('imports_create', {
    summary: 'Import a file',
    description:
      'Imports tasks from a file of another system into an endeavour, with their comments, relations, statuses and ' +
      'times, or the contents of an export of this service (`worksmith`) into an endeavour or organization. Existing ' +
      'entities, found by external_ref or from an earlier import, are updated like with PATCH. The file is the body, or ' +
      'the part `file` of a form, after the fields with the parameters. Only one import can run in an organization at a ' +
      'time (409 in_progress). If the target is an endeavour that is completed meanwhile, the operation fails with ' +
      'conflict before it creates anything more there; its result counts what was imported until then. The report is at ' +
      'GET /imports/{id}, with the id of the operation and the prefix imp_.',
    status: 202,
    query: parameters,
    bodies,
    response: startedOperation,
    refuses: ['archived', 'payload_too_large', 'unsupported_media_type'],
  })
  async create(
    @CurrentCaller() me: Caller,
    @QueryParameters() query: RawQuery,
    @UploadedFile(ReceivedUpload) upload: Upload,
  ): Promise<AcceptedOperation> {
    try {
      const { fields, file } = await formPartsOf(upload);
      return await this.imports.start(me, importParametersOf(withFields(query, fields)), file);
    } finally {
      upload.file.destroy();
    }
  }

  @Get(':id')
  @Operation('imports_get', {
    summary: 'Get import report',
    description: 'Returns the current counts of an import and a page of its refusals.',
    path: { id: 'import' },
    query: {
      after: { description: 'Refusals with a higher number.', schema: { type: 'integer', minimum: 0 } },
      limit: {
        description: 'The maximum number of refusals, 1 to 1000. Defaults to 200.',
        schema: { type: 'integer', minimum: 1 },
      },
    },
    response: report,
  })
  get(
    @CurrentCaller() me: Caller,
    @Param('id', PathId('import')) id: string,
    @QueryParameters() query: RawQuery,
  ): Promise<ImportReport> {
    const { after, limit } = readPage(query);
    return this.imports.get(me, id, after, limit);
  }
}
